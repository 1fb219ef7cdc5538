import {
  Always,
  ApiProperty,
  Id,
  Moment,
  MomentOrNull,
  OneOf,
  Text,
  TextOrNull,
  Texts,
  Whole,
} from '#platform/openapi';
import type { WebhookStatus } from '../../domain/webhook.js';
import type { MessageStatus } from '../../domain/webhook-message.js';

export class WebhookIdResponse {
  @OneOf('webhook') object!: 'webhook';
  @Id() id!: string;
}

export class CreatedWebhookResponse extends WebhookIdResponse {
  @Text() signing_secret!: string;
}

export class RemovedWebhookResponse extends WebhookIdResponse {
  @Always(true) deleted!: true;
}

export class WebhookSummaryResponse {
  @Id() id!: string;
  @Text() endpoint!: string;
  @Texts() events!: string[];
  @OneOf('enabled', 'disabled') status!: WebhookStatus;
  @Moment() created_at!: string;
  /** An addition of Postrider: why the service disabled it; null if the customer disabled it, or if it is enabled. */
  @TextOrNull() disabled_reason!: string | null;
}

export class WebhookResponse extends WebhookSummaryResponse {
  @OneOf('webhook') object!: 'webhook';
  @TextOrNull() signing_secret!: string | null;
}

const MessageId = (): PropertyDecorator => ApiProperty({ type: String, pattern: '^msg_[0-9a-f]{32}$' });

export class WebhookMessageSummaryResponse {
  @MessageId() id!: string;
  @Text() type!: string;
  @Moment() created_at!: string;
  @OneOf('pending', 'attempting', 'success', 'failed') status!: MessageStatus;
}

export class WebhookMessageResponse extends WebhookMessageSummaryResponse {
  @OneOf('webhook_event') object!: 'webhook_event';
  @MomentOrNull() next_attempt_at!: string | null;
  /** The payload as it is sent; null if the event is no longer stored. */
  @ApiProperty({ type: Object, additionalProperties: true, nullable: true }) payload!: unknown;
}

export class ReplayedMessageResponse {
  @OneOf('webhook_event') object!: 'webhook_event';
  @MessageId() id!: string;
}

export class ReplayResponse {
  @OneOf('webhook_replay') object!: 'webhook_replay';
  /** Number of messages that were queued again. */
  @Whole() replayed!: number;
  /** Whether there may be more messages; `next` is then the `after` of the next request. */
  @ApiProperty({ type: Boolean }) has_more!: boolean;
  @ApiProperty({ type: String, nullable: true, pattern: '^msg_[0-9a-f]{32}$' }) next!: string | null;
}

export class WebhookAttemptResponse {
  @ApiProperty({ type: String, pattern: '^atmpt_[0-9a-f]{32}$' }) id!: string;
  /** 0 if there was no response; `response` then says why. */
  @Whole() http_status_code!: number;
  /** The first KB of the response. */
  @Text() response!: string;
  @Moment() sent_at!: string;
}
