import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { idempotentRequest } from '#idempotency';
import { Clock, parsePageRequest, ValidationError } from '#kernel';
import { found, idFromPath, jsonResponse, listResponse, ListResponse, releaseOnceSent } from '#platform/http';
import { Responses, ResponsesAll, ApiBody, ApiQuery, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Get, Headers, HttpCode, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ChangeSchedule } from '../../application/change-schedule.use-case.js';
import { ReadEmails } from '../../application/read-emails.query.js';
import { SendBatch } from '../../application/send-batch.use-case.js';
import { BatchResponse } from '../../domain/batch.js';
import { parseEmailFilter } from '../../domain/email-filter.js';
import { emailResponse, emailSummary } from './email.response.js';
import { FilteredEmails } from './filtered-emails.js';
import {
  BatchAcceptedResponse,
  EmailResponse,
  EmailEventResponse,
  EmailReferenceResponse,
  EmailSummaryResponse,
  SentEmailResponse,
} from './responses.js';
import { QuotaHeaders } from './quota-headers.js';
import { decodeBatch } from './send-batch.request.js';
import { SendEmailRequest } from './send-email.request.js';
import { SubmitEmail } from './submit-email.js';
import { recordsItsActor } from './records-its-actor.js';
import { decodeUpdateRequest, UpdateEmailRequest } from './update-email.request.js';

@Controller('emails')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/emails.description.js'))
export class EmailsController {
  constructor(
    private readonly submitEmail: SubmitEmail,
    private readonly sendBatch: SendBatch,
    private readonly readEmails: ReadEmails,
    private readonly changeSchedule: ChangeSchedule,
    private readonly quotaHeaders: QuotaHeaders,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Requires('emails:send')
  @Audited(recordsItsActor)
  @HttpCode(200)
  @Takes(SendEmailRequest)
  @Responses(SentEmailResponse)
  send(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('idempotency-key') key?: string,
  ): Promise<SentEmailResponse> {
    return this.submitEmail.execute(principal, body, reply, key);
  }

  @Post('batch')
  @Requires('emails:send')
  @Audited(recordsItsActor)
  @HttpCode(200)
  @ApiBody({ type: [SendEmailRequest] })
  @Responses(BatchAcceptedResponse)
  async batch(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('idempotency-key') key?: string,
    @Headers('x-batch-validation') validation?: string,
  ): Promise<BatchResponse> {
    const batch = decodeBatch(body, validation, this.clock.now());
    const idempotent = await idempotentRequest(key, principal.teamId, 'POST /emails/batch', body);
    return this.quotaHeaders.with(reply, principal.teamId, () => this.sendBatch.execute(principal, batch, idempotent));
  }

  @Get()
  @Requires('emails:read')
  @FilteredEmails()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Record<string, unknown>,
  ): Promise<ListResponse<EmailSummaryResponse> & { readonly next?: string | null }> {
    const page = parsePageRequest(query);
    const filter = parseEmailFilter(query);
    if (filter === undefined) return listResponse(await this.readEmails.list(principal.teamId, page), emailSummary);
    const found = await this.readEmails.search(principal.teamId, { filter, page });
    return { ...listResponse(found, emailSummary), next: found.next ?? null };
  }

  @Get(':id')
  @Requires('emails:read')
  @Responses(EmailResponse)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const email = found('Email', await this.readEmails.find(principal.teamId, idFromPath('id', id)));
    releaseOnceSent(reply, email.body);
    if (email.body.unreadable !== undefined) void reply.header('x-postrider-unreadable', email.body.unreadable);
    return jsonResponse(emailResponse(email));
  }

  @Patch(':id')
  @Requires('emails:write')
  @Takes(UpdateEmailRequest)
  @Responses(EmailReferenceResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<EmailReferenceResponse> {
    const emailId = idFromPath('id', id);
    const { scheduledAt } = decodeUpdateRequest(body, this.clock.now());
    await this.changeSchedule.reschedule(principal.teamId, emailId, scheduledAt);
    return { object: 'email', id: emailId };
  }

  @Post(':id/cancel')
  @Requires('emails:write')
  @HttpCode(200)
  @Responses(EmailReferenceResponse)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<EmailReferenceResponse> {
    const emailId = idFromPath('id', id);
    await this.changeSchedule.cancel(principal.teamId, emailId);
    return { object: 'email', id: emailId };
  }

  /** Addition of Postrider: all events of the email, in order. `after` is the number of an event. */
  @Get(':id/events')
  @Requires('emails:read')
  @ResponsesAll(EmailEventResponse)
  @ApiQuery({ name: 'after', required: false, schema: { type: 'integer' } })
  async events(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query('after') after?: unknown,
  ): Promise<ListResponse<EmailEventResponse>> {
    const events = await this.readEmails.events(principal.teamId, idFromPath('id', id), eventNumber(after));
    return listResponse(found('Email', events), (event) => ({
      seq: event.seq,
      type: event.type,
      created_at: event.createdAt.toISOString(),
      recipient: event.recipient,
      data: event.data,
    }));
  }
}

function eventNumber(after: unknown): number {
  if (after === undefined || after === '') return 0;
  if (typeof after === 'string' && /^\d{1,9}$/.test(after)) return Number(after);
  throw new ValidationError('The `after` parameter must be the `seq` of an event.');
}
