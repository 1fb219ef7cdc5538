import { contentErrors, quotaErrors } from '#emails';
import { Audited, CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { idFromPath } from '#http/server';
import { Describes, Operation, PathId, PathParameter, Refuses, Responses, Takes } from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { Body, Controller, Headers, Param, Post } from '@nestjs/common';
import { AnsweredKey, SendFromInbox } from '../../application/send-from-inbox.use-case.js';
import { checkAnswerHeaders } from '../../domain/answer.js';
import {
  FilesTooLargeError,
  NobodyToAnswerError,
  SendingBusyError,
  TooManyFilesError,
  UnreadableEmailError,
} from '../../domain/draft-errors.js';
import { emailId, inboxAddress, threadId } from './example-ids.js';
import { SentFromInboxResponse } from './draft.response.js';
import { isMail, keyedRequest, keyErrors, RepeatableByKey } from './keyed-request.js';
import { decodeForward, decodeReply, ForwardEmailRequest, ReplyToEmailRequest } from './reply.request.js';

const answerErrors = (): readonly DescribedRefusal[] => [
  new NotFoundError('Inbox'),
  new NotFoundError('Thread'),
  new NotFoundError('Email'),
  () => checkAnswerHeaders({ References: '' }),
  new TooManyFilesError(),
  new FilesTooLargeError(),
  ...contentErrors(),
  ...quotaErrors(),
  ...keyErrors(),
];

@Controller('inboxes/:inbox/threads/:thread/emails/:email')
@Describes('Inboxes')
@PathParameter('inbox', 'Id of the inbox, or its address.', {}, inboxAddress)
@PathId('thread', 'Id of the thread.', threadId)
@PathId('email', 'Id of the email.', emailId)
@PermissionsOf('emails')
export class InboxRepliesController {
  constructor(private readonly sendFromInbox: SendFromInbox) {}

  @Post('reply')
  @Operation(
    'Reply to an email',
    'Sends a reply from the address of the inbox to the author of the email, or to its `Reply-To`. The reply to an email ' +
      'that the inbox sent goes to those who got it.',
  )
  @RepeatableByKey()
  @Takes(ReplyToEmailRequest, 'The reply.')
  @Responses(SentFromInboxResponse, 'The reply has been accepted.')
  @Refuses(() => [new NobodyToAnswerError(), ...answerErrors()])
  @Audited(isMail)
  async replyToInboxEmail(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AnsweredPath,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ) {
    const request = decodeReply(body);
    return this.sendFromInbox.reply(principal, keyOf(path), request, await keyedRequest(key, body));
  }

  @Post('forward')
  @Operation(
    'Forward an email',
    'Sends the email with its files from the address of the inbox to others, below what you write.',
  )
  @RepeatableByKey()
  @Takes(ForwardEmailRequest, 'The forward.')
  @Responses(SentFromInboxResponse, 'The forward has been accepted.')
  @Refuses(() => [
    new NotFoundError('The content of the email'),
    new UnreadableEmailError(),
    new SendingBusyError(),
    ...answerErrors(),
  ])
  @Audited(isMail)
  async forwardInboxEmail(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AnsweredPath,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ) {
    const request = decodeForward(body);
    return this.sendFromInbox.forward(principal, keyOf(path), request, await keyedRequest(key, body));
  }
}

interface AnsweredPath {
  readonly inbox: string;
  readonly thread: string;
  readonly email: string;
}

function keyOf({ inbox, thread, email }: AnsweredPath): AnsweredKey {
  return { inbox, threadId: idFromPath('thread', thread), emailId: idFromPath('email', email) };
}
