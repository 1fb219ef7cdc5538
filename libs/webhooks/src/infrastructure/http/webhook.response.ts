import { proposedTypes } from '#events';
import {
  Always,
  Deleted,
  Field,
  Flag,
  Id,
  Moment,
  MomentOrNull,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  Whole,
} from '#http/openapi';
import type { HealthReport } from '../../domain/health-report.js';
import type { WebhookStatus } from '../../domain/webhook.js';
import type { MessageStatus } from '../../domain/webhook-message.js';

export const webhookId = '0193a1f1-c6f4-7e19-a0d3-8b52e94c7f16';
export const messageId = 'msg_0193a1f452f17b0d9e6a4c83d7a5f210';

@Shape('The webhook that was changed.')
export class WebhookIdResponse extends ReferenceTo('webhook', 'Id of the webhook.', webhookId) {}

@Shape('A webhook and its secret.')
export class CreatedWebhookResponse extends WebhookIdResponse {
  @Text('Key of the signatures: `whsec_` and base64.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  signing_secret!: string;
}

@Shape('The webhook that was deleted.')
export class RemovedWebhookResponse extends Deleted(WebhookIdResponse) {}

@Shape('How the calls of an endpoint end.')
export class WebhookHealthResponse {
  @OneOf(
    ['up', 'failing', 'down'],
    '`failing`: the last calls failed. `down`: after eight failures in a row, only one call at a time is made, with pauses.',
    'up',
  )
  state!: HealthReport['state'];
  @MomentOrNull('The first failure since the last success.') failing_since!: string | null;
  @TextOrNull('Why the last call failed; null if it succeeded.') reason!: string | null;
  @Field(
    'HTTP status of the last response; 0 if there was no response to the last call, null if no call was made yet.',
    { type: 'integer', minimum: 0, maximum: 599, nullable: true },
    200,
  )
  last_http_status_code!: number | null;
  @MomentOrNull('When the last call was made.', '2026-11-30 20:40:01.08+00') last_called_at!: string | null;
  @MomentOrNull('Earliest time of the next call; null if nothing waits or the webhook is disabled.')
  next_attempt_at!: string | null;
  @Field('Calls of the last 24 hours.', { type: 'integer', minimum: 0 }, 412) calls!: number;
  @Field(
    'Share of them that succeeded, from 0 to 1; null if there were none.',
    { type: 'number', minimum: 0, maximum: 1, nullable: true },
    1,
  )
  success_rate!: number | null;
}

@Shape('A webhook without its secret.')
export class WebhookSummaryResponse {
  @Id('Id of the webhook.', webhookId) id!: string;
  @Text('The URL of the requests, exactly as you gave it.', 'https://acme.example/hooks/postrider')
  endpoint!: string;
  @Texts('Types of events, such as `email.delivered`.', [...proposedTypes])
  events!: string[];
  @OneOf(['enabled', 'disabled'], '`disabled`: nothing is sent.', 'enabled') status!: WebhookStatus;
  @Moment('When it was created.', '2026-11-28 09:14:02.7+00') created_at!: string;
  /** An addition of Postrider: why the service disabled it; null if the customer disabled it, or if it is enabled. */
  @TextOrNull('Why the service disabled it; null if you disabled it, or if it is enabled.')
  disabled_reason!: string | null;
  @Text(
    'Shape of its requests: `postrider`, as described here, or another provider over whose API it was created, ' +
      'such as `mailgun`. An addition of Postrider.',
    'postrider',
  )
  format!: string;
  @Field('Id of the domain whose emails it receives events of; null: of all domains. An addition of Postrider.', {
    format: 'uuid',
    nullable: true,
  })
  domain_id!: string | null;
  @Field('How its calls end. An addition of Postrider.', { type: WebhookHealthResponse })
  health!: WebhookHealthResponse;
}

@Shape('A webhook.')
export class WebhookResponse extends WebhookSummaryResponse {
  @Always('webhook') object!: 'webhook';
  @TextOrNull(
    'Key of the signatures: `whsec_` and base64. Null for roles that may not change webhooks.',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  )
  signing_secret!: string | null;
}

@Shape('A message without its payload.')
export class WebhookMessageSummaryResponse {
  @Field(
    'Id of the message: the `webhook-id` header of its requests, the same for all attempts and replays.',
    { pattern: '^msg_[0-9a-f]{32}$' },
    messageId,
  )
  id!: string;
  @Text('Type of the event.', 'email.delivered') type!: string;
  @Moment('When the event happened.', '2026-11-30 20:40:00.91+00') created_at!: string;
  @OneOf(
    ['pending', 'attempting', 'success', 'failed'],
    '`pending`: not tried yet. `attempting`: tried, and will be tried again. `success` and `failed` are ' +
      'final until a replay.',
    'success',
  )
  status!: MessageStatus;
}

@Shape('An event on its way to an endpoint.')
export class WebhookMessageResponse extends WebhookMessageSummaryResponse {
  @Always('webhook_event') object!: 'webhook_event';
  @MomentOrNull('Time of the next attempt; null if there will be none.') next_attempt_at!: string | null;
  /** The payload as it is sent; null if the event is no longer stored. */
  @Field(
    'The body of its requests; null if its event is no longer stored.',
    { type: Object, additionalProperties: true, nullable: true },
    {
      type: 'email.delivered',
      created_at: '2026-11-30T20:40:00.912Z',
      sequence: 2,
      data: {
        email_id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31',
        created_at: '2026-11-30T20:39:59.540Z',
        message_id: '<0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31@acme.example>',
        from: 'Acme <hello@acme.example>',
        to: ['ada@customer.example'],
        subject: 'Your order is on its way',
        tags: { category: 'shipping' },
      },
    },
  )
  payload!: unknown;
}

@Shape('A message that is sent again.')
export class ReplayedMessageResponse {
  @Always('webhook_event') object!: 'webhook_event';
  @Field('Id of the message.', { pattern: '^msg_[0-9a-f]{32}$' }, messageId) id!: string;
}

@Shape('A test event, and what the endpoint answered.')
export class TestedWebhookResponse extends ReplayedMessageResponse {
  @Field(
    'HTTP status of the response; 0 if there was none, and `response` then says why.',
    { type: 'integer', minimum: 0, maximum: 599 },
    200,
  )
  http_status_code!: number;
  @Whole('Duration of the call in milliseconds.', 84) duration_ms!: number;
  @Text('The first KB of the response.', 'ok') response!: string;
}

@Shape('The result of a replay.')
export class ReplayResponse {
  @Always('webhook_replay') object!: 'webhook_replay';
  /** Number of messages that were queued again. */
  @Field('Number of messages that were queued again.', { type: 'integer', minimum: 0 }, 17) replayed!: number;
  /** Whether there may be more messages; `next` is then the `after` of the next request. */
  @Flag('Whether there may be more: one request examines up to 50,000 messages.', false) has_more!: boolean;
  @Field('The `after` of the next request; null if there are no more messages.', {
    nullable: true,
    pattern: '^msg_[0-9a-f]{32}$',
  })
  next!: string | null;
}

@Shape('One request to an endpoint.')
export class WebhookAttemptResponse {
  @Field('Id of the attempt.', { pattern: '^atmpt_[0-9a-f]{32}$' }, 'atmpt_0193a1f45310744a8fd2b91c06e7d35a')
  id!: string;
  /** 0 if there was no response; `response` then says why. */
  @Field(
    'HTTP status of the response; 0 if there was none, and `response` then says why.',
    { type: 'integer', minimum: 0, maximum: 599 },
    200,
  )
  http_status_code!: number;
  /** The first KB of the response. */
  @Text('The first KB of the response.', 'ok') response!: string;
  @Moment('When the request was sent.', '2026-11-30 20:40:01.08+00') sent_at!: string;
}
