import { SignedLinks } from '#emails';
import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { isUuid, Page, PageRequest, parsePageRequest, parseWholeListRequest, ValidationError } from '#kernel';
import { jsonResponse, listResponse, releaseOnceSent, toResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesList,
  ResponsesWholeList,
} from '#http/openapi';
import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EmailAboveQuotaError, type ReceivedAttachment } from '../../domain/received-email.js';
import type { HtmlFormat } from '../../application/ports/received-contents.port.js';
import type { ReceivedFilter } from '../../application/ports/received-emails.port.js';
import { ReceivedInbox } from '../../application/received-inbox.use-case.js';
import { receivedEvents } from './received-events.js';
import { attachmentSummary, receivedResponse, receivedSummary } from './received-email.response-builder.js';
import {
  attachmentId,
  ReceivedAttachmentFileResponse,
  ReceivedAttachmentSummaryResponse,
  ReceivedEmailReferenceResponse,
  ReceivedEmailResponse,
  ReceivedEmailSummaryResponse,
  receivedId,
  threadId,
} from './received-email.response.js';
import { attachmentPath, sourcePath } from './received-links.controller.js';

const badCursor = new ValidationError('The cursor must be the id of an item of the list.');

/** Received emails (docs/wire-contract.md section 8). */
@Controller('emails/receiving')
@Describes(
  'Received emails',
  'Emails that your domains have received. The webhook event is `email.received`.',
  receivedEvents,
)
@PathId('id', 'Id of the received email.', receivedId, 'Email')
@PathId('attachmentId', 'Id of the attachment.', attachmentId, 'Attachment')
@PermissionsOf('emails')
export class ReceivedEmailsController {
  constructor(
    private readonly inbox: ReceivedInbox,
    private readonly links: SignedLinks,
  ) {}

  @Get()
  @Operation('List received emails', 'Emails that your domains have received, newest first, in pages.')
  @QueryParameter('thread_id', 'Only emails of this thread. An addition of Postrider.', {}, threadId)
  @QueryParameter(
    'from',
    'Only emails of this author: a bare address. An addition of Postrider.',
    {},
    'ada@customer.example',
  )
  @ResponsesList(ReceivedEmailSummaryResponse, 'A page of received emails.')
  @Refuses(() => [
    badCursor,
    new ValidationError('The `thread_id` parameter must be the `thread_id` of an email.'),
    new ValidationError('The `from` parameter is not valid.'),
  ])
  async listReceivedEmails(@TeamId() teamId: string, @Query() query: Record<string, unknown>) {
    const page = parsePageRequest(query);
    return listResponse(await this.inbox.list(teamId, page, filterOf(query)), receivedSummary);
  }

  @Get(':id')
  @Operation(
    'Get a received email',
    'One received email with its content, the verdicts on its origin, and a link to its source.',
  )
  @QueryParameter(
    'html_format',
    '`data_uri` (the default): the html contains inline images. `cid`: it refers to attachments by their ' +
      '`content_id`.',
    {},
    'cid',
  )
  @Responses(ReceivedEmailResponse, 'The email.')
  @Refuses(() => [new EmailAboveQuotaError(), new ValidationError('The `html_format` must be `data_uri` or `cid`.')])
  async getReceivedEmail(
    @TeamId() teamId: string,
    @Param('id') emailId: string,
    @Query('html_format') htmlFormat: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const format = htmlFormatOf(htmlFormat);
    const read = await this.inbox.get(teamId, emailId, format);
    releaseOnceSent(reply, read.body);
    if (read.body.unreadable !== undefined) void reply.header('x-postrider-unreadable', read.body.unreadable);
    return jsonResponse(receivedResponse(read, format, this.links.link(request, sourcePath(emailId))));
  }

  /** Addition of Postrider: sends `email.received` again. */
  @Post(':id/replay')
  @Operation(
    'Replay the event of a received email',
    'Sends `email.received` again, as a new message to every webhook endpoint that asks for this event ' +
      'now. An addition of Postrider.',
  )
  @Responses(ReceivedEmailReferenceResponse, 'The event is sent again.')
  async replayReceivedEmail(@CurrentPrincipal() principal: Principal, @Param('id') emailId: string) {
    await this.inbox.replay(principal, emailId);
    return toResponse(ReceivedEmailReferenceResponse, { id: emailId });
  }

  @Get(':id/attachments')
  @Operation(
    'List the attachments of a received email',
    'The attachments of a received email, with links to their content.',
  )
  @ResponsesWholeList(ReceivedAttachmentSummaryResponse, 'The attachments.')
  @Refuses(() => [new EmailAboveQuotaError(), badCursor])
  async listReceivedEmailAttachments(
    @TeamId() teamId: string,
    @Param('id') emailId: string,
    @Query() query: object,
    @Req() request: FastifyRequest,
  ) {
    const page = pageOfAttachments(parseWholeListRequest(query), await this.inbox.attachments(teamId, emailId));
    return listResponse(page, (attachment) => this.summaryOf(request, emailId, attachment));
  }

  @Get(':id/attachments/:attachmentId')
  @Operation('Get an attachment of a received email', 'One attachment of a received email, with a link to its content.')
  @Responses(ReceivedAttachmentFileResponse, 'The attachment.')
  @Refuses(() => [new EmailAboveQuotaError()])
  async getReceivedEmailAttachment(
    @TeamId() teamId: string,
    @Param('id') emailId: string,
    @Param('attachmentId') attachmentId: string,
    @Req() request: FastifyRequest,
  ): Promise<ReceivedAttachmentFileResponse> {
    const attachment = await this.inbox.attachment(teamId, emailId, attachmentId);
    return { object: 'attachment', ...this.summaryOf(request, emailId, attachment) };
  }

  private summaryOf(
    request: FastifyRequest,
    emailId: string,
    attachment: ReceivedAttachment,
  ): ReceivedAttachmentSummaryResponse {
    return attachmentSummary(attachment, this.links.link(request, attachmentPath(emailId, attachment.id)));
  }
}

function filterOf(query: Record<string, unknown>): ReceivedFilter {
  const threadId = textIn(query, 'thread_id');
  const from = textIn(query, 'from');
  if (threadId !== undefined && !isUuid(threadId)) {
    throw new ValidationError('The `thread_id` parameter must be the `thread_id` of an email.');
  }
  return {
    ...(threadId === undefined ? {} : { threadId: threadId.toLowerCase() }),
    ...(from === undefined ? {} : { from: from.toLowerCase() }),
  };
}

function textIn(query: Record<string, unknown>, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > 320 || value.includes('\0') || !value.isWellFormed()) {
    throw new ValidationError(`The \`${name}\` parameter is not valid.`);
  }
  return value;
}

function htmlFormatOf(value: unknown): HtmlFormat {
  if (value === undefined || value === '' || value === 'data_uri') return 'data_uri';
  if (value === 'cid') return 'cid';
  throw new ValidationError('The `html_format` must be `data_uri` or `cid`.');
}

/** A message has a bounded number of parts, and its row contains all of its attachments. */
function pageOfAttachments(request: PageRequest, all: readonly ReceivedAttachment[]): Page<ReceivedAttachment> {
  const { limit, after, before } = request;
  const positionOf = (id: string): number => {
    const position = all.findIndex((attachment) => attachment.id === id);
    if (position < 0) throw new ValidationError('The cursor must be the id of an item of the list.');
    return position;
  };
  if (before !== undefined) {
    const end = positionOf(before);
    return { items: all.slice(Math.max(0, end - limit), end), hasMore: end > limit };
  }
  const start = after === undefined ? 0 : positionOf(after) + 1;
  return { items: all.slice(start, start + limit), hasMore: start + limit < all.length };
}
