import { PermissionsOf, TeamId } from '#identity';
import { NotFoundError, parsePageRequest, ValidationError } from '#kernel';
import { jsonListResponse, jsonResponse, releaseOnceSent } from '#http/server';
import { Describes, Operation, PathId, PathParameter, Refuses, Responses, ResponsesList } from '#http/openapi';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadInboxEmails } from '../../application/read-inbox-emails.query.js';
import { inboxAddress, emailId, threadId } from './example-ids.js';
import { inboxEmail, InboxEmailResponse } from './thread.response.js';

/** The emails of a thread (docs/wire-contract.md section 27). */
@Controller('inboxes/:inbox/threads/:thread/emails')
@Describes('Inboxes')
@PathParameter('inbox', 'Id or address of the inbox.', {}, inboxAddress, 'Inbox')
@PathId('thread', 'Id of the thread.', threadId)
@PathId('email', 'Id of the email.', emailId, 'Email')
@PermissionsOf('emails')
export class InboxEmailsController {
  constructor(private readonly emails: ReadInboxEmails) {}

  @Get()
  @Operation(
    'List the emails of a thread',
    'The emails of a thread with their contents, newest first, in pages. A page of large emails has fewer than `limit`.',
  )
  @ResponsesList(InboxEmailResponse, 'A page of emails.')
  @Refuses(() => [
    new NotFoundError('Thread'),
    new ValidationError('The cursor must be the id of an item of the list.'),
  ])
  async listInboxThreadEmails(
    @TeamId() teamId: string,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
    @Query() query: { readonly limit?: unknown },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const page = parsePageRequest(query);
    const { items, hasMore } = await this.emails.list(teamId, inbox, thread, page);
    for (const item of items) releaseOnceSent(reply, item);
    return jsonListResponse(hasMore, items.map(inboxEmail));
  }

  @Get(':email')
  @Operation('Get an email of a thread', 'One email with its content.')
  @Responses(InboxEmailResponse, 'The email.')
  async getInboxThreadEmail(
    @TeamId() teamId: string,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
    @Param('email') email: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const read = await this.emails.get(teamId, inbox, thread, email);
    releaseOnceSent(reply, read);
    return jsonResponse(inboxEmail(read));
  }
}
