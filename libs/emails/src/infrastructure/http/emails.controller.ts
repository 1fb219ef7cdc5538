import { checkIdempotencyKey, fingerprintOfLarge, maxKeyLength } from '#idempotency';
import type { IdempotentRequest } from '#idempotency';
import { Audited, CurrentPrincipal, Requires, PermissionsOf, TeamId } from '#identity';
import type { AuditSettings, Principal } from '#identity';
import { Clock, NotFoundError, parsePageRequest, ValidationError, whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { Quotas } from '#rate-limit';
import { Body, Controller, Get, Headers, Injectable, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { found, jsonResponse, listResponse, ListResponse, releaseOnceSent, toResponse } from '#http/server';
import {
  Describes,
  HeaderParameter,
  Operation,
  PathId,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesAll,
  Takes,
  nextOfPage,
  ResponsesList,
} from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { AcceptEmails } from '../../application/accept-emails.use-case.js';
import { BatchResponse, checkBatchSize, maxBatchSize } from '../../domain/batch.js';
import { decodeBatch } from './send-batch.request.js';
import { decodeSendRequest, SendEmailRequest } from './send-email.request.js';
import { maxEmailBytes } from '../../domain/draft.js';
import { NotScheduledError } from '../../domain/email-errors.js';
import { ChangeSchedule } from '../../application/change-schedule.use-case.js';
import { ReadEmails } from '../../application/read-emails.query.js';
import { parseEmailFilter } from '../../domain/email-filter.js';
import { emailId } from './example-ids.js';
import { parseScheduledAt } from './scheduled-at.js';
import { emailResponse, emailSummary } from './email.response.js';
import { FilteredEmails } from './filtered-emails.js';
import {
  BatchAcceptedResponse,
  EmailEventResponse,
  EmailReferenceResponse,
  EmailResponse,
  EmailSummaryResponse,
  SentEmailResponse,
} from './responses.js';
import { sendErrors } from './send-errors.js';
import { decodeUpdateRequest, UpdateEmailRequest } from './update-email.request.js';

export const recordsItsActor: AuditSettings = {
  notBecause: 'each email names who sent it, and there are far more emails than changes',
};

/** Handles requests that send emails: decodes them, makes them idempotent, and has their emails accepted. */
@Injectable()
export class SubmitEmails {
  constructor(
    private readonly acceptEmails: AcceptEmails,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
  ) {}

  /** `POST /emails` and its former paths. An idempotency key covers all of these paths together. */
  one(
    principal: Principal,
    body: unknown,
    reply: FastifyReply,
    key: string | undefined,
  ): MaybePromise<{ readonly id: string }> {
    const request = decodeSendRequest(body, this.clock.now());
    return whenKnown(idempotentRequest(key, principal.teamId, 'POST /emails', body), (idempotent) =>
      this.withQuotas(reply, principal.teamId, () => this.acceptEmails.send(principal, request, idempotent)),
    );
  }

  /** `POST /emails/batch`. */
  async batch(
    principal: Principal,
    body: unknown,
    reply: FastifyReply,
    { key, validation }: { readonly key: string | undefined; readonly validation: string | undefined },
  ): Promise<BatchResponse> {
    const batch = decodeBatch(body, validation, this.clock.now());
    const idempotent = await idempotentRequest(key, principal.teamId, 'POST /emails/batch', body);
    return this.withQuotas(reply, principal.teamId, () => this.acceptEmails.sendBatch(principal, batch, idempotent));
  }

  /** Adds headers with the used part of the quotas to the response, also to a refusal. */
  private withQuotas<Result>(reply: FastifyReply, teamId: string, send: () => Promise<Result>): Promise<Result> {
    return this.quotas.mayRefuse ? this.showingQuotas(reply, teamId, send) : send();
  }

  private async showingQuotas<Result>(
    reply: FastifyReply,
    teamId: string,
    send: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await send();
    } finally {
      // A response without these headers is better than an error for an email that was accepted.
      const { daily, monthly } = await this.quotas
        .shown(teamId)
        .catch(() => ({ daily: undefined, monthly: undefined }));
      if (daily !== undefined) void reply.header('x-resend-daily-quota', String(daily));
      if (monthly !== undefined) void reply.header('x-resend-monthly-quota', String(monthly));
    }
  }
}

/**
 * Makes an idempotent request from the `Idempotency-Key` header; undefined if there is none. Repeated headers count
 * as one value.
 */
function idempotentRequest(
  header: string | undefined,
  teamId: string,
  endpoint: string,
  body: unknown,
): MaybePromise<IdempotentRequest | undefined> {
  const key = checkIdempotencyKey(header);
  return key === undefined
    ? undefined
    : fingerprintOfLarge(body).then((fingerprint) => ({ teamId, endpoint, key, fingerprint }));
}

const scheduleErrors = (): readonly DescribedRefusal[] => [
  new NotFoundError('Email'),
  new NotScheduledError('delivered'),
];

@Controller('emails')
@Describes(
  'Emails',
  'Send emails, one or up to a hundred at a time, now or later, and follow the delivery to each recipient.',
)
@PathId('id', 'Id of the email, from the response to the send request.', emailId)
@PermissionsOf('emails')
export class EmailsController {
  constructor(
    private readonly submitEmails: SubmitEmails,
    private readonly readEmails: ReadEmails,
    private readonly changeSchedule: ChangeSchedule,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Operation(
    'Send an email',
    'Accepts an email for delivery. The response comes once the email and its place in the queue are ' +
      'stored durably; delivery follows at once, or at `scheduled_at`. A refusal changes nothing. An email ' +
      'has at most 50 recipients in `to`, `cc` and `bcc` together and at most ' +
      `${maxEmailBytes / (1024 * 1024)} MB, attachments in base64 included.`,
    { sends: true },
  )
  @HeaderParameter(
    'idempotency-key',
    'Makes repeating the request safe: with the same key and body, you get the first response again and ' +
      `nothing is sent twice. 1 to ${maxKeyLength} characters of your choice; remembered for 24 hours, ` +
      'separately for `POST /emails` and `POST /emails/batch`. Without it, each request sends.',
    { minLength: 1, maxLength: maxKeyLength },
    'welcome-user/123456789',
  )
  @Takes(SendEmailRequest, 'The email.')
  @Responses(SentEmailResponse, 'The email has been accepted.')
  @Refuses(sendErrors)
  @Requires('emails:send')
  @Audited(recordsItsActor)
  sendEmail(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('idempotency-key') key?: string,
  ) {
    return this.submitEmails.one(principal, body, reply, key);
  }

  @Post('batch')
  @Operation(
    'Send a batch of emails',
    `Accepts 1 to ${maxBatchSize} emails with one request, which counts once against the rate limit. All ` +
      'of them become durable together. By default the whole batch is refused if one email cannot be ' +
      'accepted; with `x-batch-validation: permissive` the others are accepted and the faults listed. The ' +
      `emails of a batch together have at most ${maxEmailBytes / (1024 * 1024)} MB.`,
    { sends: true },
  )
  @HeaderParameter(
    'idempotency-key',
    'Makes repeating the request safe: with the same key and body, you get the first response again and ' +
      `nothing is sent twice. 1 to ${maxKeyLength} characters of your choice; remembered for 24 hours, ` +
      'separately for `POST /emails` and `POST /emails/batch`. Without it, each request sends.',
    { minLength: 1, maxLength: maxKeyLength },
    'welcome-user/123456789',
  )
  @HeaderParameter(
    'x-batch-validation',
    '`strict`: one fault refuses the whole batch. `permissive`: valid emails are accepted, and `errors` ' +
      'lists the others.',
    { enum: ['strict', 'permissive'], default: 'strict' },
    'permissive',
  )
  @Takes(SendEmailRequest, `1 to ${maxBatchSize} emails.`, {
    many: true,
    examples: {
      two: {
        summary: 'Two emails',
        value: [
          {
            from: 'Acme <hello@acme.example>',
            to: ['ada@customer.example'],
            subject: 'Your order is on its way',
            html: '<p>It arrives on <b>Friday</b>.</p>',
            text: 'It arrives on Friday.',
          },
          {
            from: 'Acme <hello@acme.example>',
            to: ['grace@customer.example'],
            subject: 'Your order is on its way',
            html: '<p>It arrives on <b>Friday</b>.</p>',
            text: 'It arrives on Friday.',
          },
        ],
      },
    },
  })
  @Responses(BatchAcceptedResponse, 'The batch has been accepted: ids in the order of the request.')
  @Refuses(() => [
    () => checkBatchSize(0),
    new ValidationError('The `x-batch-validation` header must be `strict` or `permissive`.'),
    ...sendErrors(),
  ])
  @Requires('emails:send')
  @Audited(recordsItsActor)
  sendEmailBatch(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('idempotency-key') key?: string,
    @Headers('x-batch-validation') validation?: string,
  ) {
    return this.submitEmails.batch(principal, body, reply, { key, validation });
  }

  @Get()
  @Operation(
    'List emails',
    'The emails of your team without their bodies, newest first, in pages. They are kept for 30 days by ' +
      'default. With a filter, a request examines a bounded number of emails, so a page may have fewer ' +
      'items than asked for: as long as `next` is not null, go on with it as `after` (or `before`).',
  )
  @Refuses(() => [
    () => parseEmailFilter({ status: 'lost' }),
    () => parseEmailFilter({ domain_id: 'acme' }),
    () => parseEmailFilter({ broadcast_id: 'news' }),
    () => parseEmailFilter({ created_after: 'yesterday' }),
  ])
  @ResponsesList(EmailSummaryResponse, 'A page of emails.', { fields: nextOfPage })
  @FilteredEmails()
  async listEmails(
    @TeamId() teamId: string,
    @Query() query: Record<string, unknown>,
  ): Promise<ListResponse<EmailSummaryResponse> & { readonly next?: string | null }> {
    const page = parsePageRequest(query);
    const filter = parseEmailFilter(query);
    if (filter === undefined) return listResponse(await this.readEmails.list(teamId, page), emailSummary);
    const found = await this.readEmails.search(teamId, { filter, page });
    return { ...listResponse(found, emailSummary), next: found.next ?? null };
  }

  @Get(':id')
  @Operation('Get an email', 'One email with its bodies and its state. Attachments have separate operations.')
  @Responses(EmailResponse, 'The email.')
  @Refuses(() => [new NotFoundError('Email')])
  async getEmail(@TeamId() teamId: string, @Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    const email = found('Email', await this.readEmails.find(teamId, id));
    releaseOnceSent(reply, email.body);
    if (email.body.unreadable !== undefined) void reply.header('x-postrider-unreadable', email.body.unreadable);
    return jsonResponse(emailResponse(email));
  }

  @Patch(':id')
  @Operation('Reschedule an email', 'Changes the time of a scheduled email. Nothing else of an email can be changed.')
  @Takes(UpdateEmailRequest, 'The new time.')
  @Responses(EmailReferenceResponse, 'The email has its new time.')
  @Refuses(() => [() => parseScheduledAt('someday', new Date(0)), ...scheduleErrors()])
  async updateEmail(@TeamId() teamId: string, @Param('id') emailId: string, @Body() body: unknown) {
    const { scheduledAt } = decodeUpdateRequest(body, this.clock.now());
    await this.changeSchedule.reschedule(teamId, emailId, scheduledAt);
    return toResponse(EmailReferenceResponse, { id: emailId });
  }

  @Post(':id/cancel')
  @Operation(
    'Cancel a scheduled email',
    'Cancels a scheduled email, so that it is never sent. An email that has been released for delivery ' +
      'cannot be canceled.',
  )
  @Responses(EmailReferenceResponse, 'The email is canceled.')
  @Refuses(scheduleErrors)
  async cancelEmail(@TeamId() teamId: string, @Param('id') emailId: string) {
    await this.changeSchedule.cancel(teamId, emailId);
    return toResponse(EmailReferenceResponse, { id: emailId });
  }

  /** Addition of Postrider: all events of the email, in order. `after` is the number of an event. */
  @Get(':id/events')
  @Operation('List the events of an email', 'Everything that has happened to an email, oldest first, in one list.')
  @QueryParameter(
    'after',
    'The `seq` of an event: only later ones are listed.',
    { type: 'integer', minimum: 0, maximum: 999_999_999, default: 0 },
    1,
  )
  @ResponsesAll(EmailEventResponse, 'The events.', {
    example: [
      {},
      {
        seq: 2,
        type: 'email.delivered',
        created_at: '2026-11-30T20:40:00.912Z',
        recipient: 'ada@customer.example',
        data: { host: 'mx1.customer.example' },
      },
    ],
  })
  @Refuses(() => [
    new NotFoundError('Email'),
    new ValidationError('The `after` parameter must be the `seq` of an event.'),
  ])
  async listEmailEvents(@TeamId() teamId: string, @Param('id') id: string, @Query('after') after?: unknown) {
    const events = await this.readEmails.events(teamId, id, eventNumber(after));
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
