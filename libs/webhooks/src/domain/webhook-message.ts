import { WebhookEventType } from './event-types.js';

/** `pending` was never tried, `attempting` was tried and will be again; the other two are final until a replay. */
export type MessageStatus = 'pending' | 'attempting' | 'success' | 'failed';

export const messageStatuses: readonly MessageStatus[] = ['pending', 'attempting', 'success', 'failed'];

/** One event on its way to one endpoint. The id stays the same for all attempts and replays. */
export interface WebhookMessage {
  readonly id: string;
  readonly webhookId: string;
  readonly type: WebhookEventType;
  readonly source: EventSource;
  /** When the event happened. */
  readonly createdAt: Date;
}

/** Which event a message tells of: of an email by its number there, or of a team. */
export interface EventSource {
  readonly id: string;
  /** Number of the event within its email, from 1; null where the event belongs to no email. */
  readonly seq: number | null;
}

/** A message as the log shows it. */
export interface LoggedMessage extends WebhookMessage {
  readonly status: MessageStatus;
  /** Null: no attempt is to come. */
  readonly nextAttemptAt: Date | null;
}

/** A message that is to be sent now. */
export interface DueMessage extends WebhookMessage {
  /** Attempts made in this round. */
  readonly attempt: number;
  /** Grows with every replay while the message is queued. */
  readonly round: number;
}

/** What became of one call. */
export interface CallResult {
  /** HTTP status of the answer; 0: there was none. */
  readonly status: number;
  /** The first KB of the answer, or why there was none. */
  readonly response: string;
  readonly durationMs: number;
}

/** Any 2xx, and nothing else: a redirect is not followed and no success. */
export function isSuccess({ status }: CallResult): boolean {
  return status >= 200 && status < 300;
}

export interface MessageAttempt extends CallResult {
  readonly id: string;
  readonly sentAt: Date;
}
