import { SignedLinks } from '#emails';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { isUuid, Page, PageRequest, parsePageRequest, parseWholeListRequest, ValidationError } from '#kernel';
import { idFromPath, jsonResponse, listResponse, releaseOnceSent } from '#platform/http';
import type { ListResponse } from '#platform/http';
import { ApiQuery, DescribedBy, Responses, ResponsesList } from '#platform/openapi';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HtmlFormat } from '../../application/ports/received-contents.port.js';
import type { ReceivedFilter } from '../../application/ports/received-emails.port.js';
import { ReadReceived } from '../../application/read-received.query.js';
import { ReplayReceived } from '../../application/replay-received.use-case.js';
import type { ReceivedAttachment } from '../../domain/received-email.js';
import { attachmentSummary, receivedResponse, receivedSummary } from './received-email.response-builder.js';
import {
  ReceivedAttachmentFileResponse,
  ReceivedAttachmentSummaryResponse,
  ReceivedEmailReferenceResponse,
  ReceivedEmailResponse,
  ReceivedEmailSummaryResponse,
} from './received-email.response.js';
import { attachmentPath, sourcePath } from './received-links.js';

/** Received emails (docs/wire-contract.md section 8). */
@Controller('emails/receiving')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/received-emails.description.js'))
export class ReceivedEmailsController {
  constructor(
    private readonly received: ReadReceived,
    private readonly replay: ReplayReceived,
    private readonly links: SignedLinks,
  ) {}

  @Get()
  @Requires('emails:read')
  @ResponsesList(ReceivedEmailSummaryResponse)
  @ApiQuery({ name: 'thread_id', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'from', required: false, schema: { type: 'string' } })
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Record<string, unknown>,
  ): Promise<ListResponse<ReceivedEmailSummaryResponse>> {
    const page = parsePageRequest(query);
    return listResponse(await this.received.list(teamId, page, filterOf(query)), receivedSummary);
  }

  @Get(':id')
  @Requires('emails:read')
  @Responses(ReceivedEmailResponse)
  @ApiQuery({ name: 'html_format', required: false, schema: { type: 'string' } })
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query('html_format') htmlFormat: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const emailId = idFromPath('id', id);
    const format = htmlFormatOf(htmlFormat);
    const read = await this.received.get(teamId, emailId, format);
    releaseOnceSent(reply, read.body);
    if (read.body.unreadable !== undefined) void reply.header('x-postrider-unreadable', read.body.unreadable);
    return jsonResponse(receivedResponse(read, format, this.links.link(request, sourcePath(emailId))));
  }

  /** Addition of Postrider: sends `email.received` again. */
  @Post(':id/replay')
  @Requires('emails:write')
  @HttpCode(200)
  @Responses(ReceivedEmailReferenceResponse)
  async replayEvent(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<ReceivedEmailReferenceResponse> {
    const emailId = idFromPath('id', id);
    await this.replay.execute(principal, emailId);
    return { object: 'email', id: emailId };
  }

  @Get(':id/attachments')
  @Requires('emails:read')
  @ResponsesList(ReceivedAttachmentSummaryResponse)
  async attachments(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: object,
    @Req() request: FastifyRequest,
  ): Promise<ListResponse<ReceivedAttachmentSummaryResponse>> {
    const emailId = idFromPath('id', id);
    const page = pageOfAttachments(parseWholeListRequest(query), await this.received.attachments(teamId, emailId));
    return listResponse(page, (attachment) => this.summaryOf(request, emailId, attachment));
  }

  @Get(':id/attachments/:attachmentId')
  @Requires('emails:read')
  @Responses(ReceivedAttachmentFileResponse)
  async attachment(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Param('attachmentId') attachmentId: string,
    @Req() request: FastifyRequest,
  ): Promise<ReceivedAttachmentFileResponse> {
    const emailId = idFromPath('id', id);
    const attachment = await this.received.attachment(teamId, emailId, idFromPath('attachmentId', attachmentId));
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
