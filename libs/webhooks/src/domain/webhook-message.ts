import type { WebhookEventType } from '#events';

/** `pending`: never tried. `attempting`: tried, and will be tried again. The other two are final until a replay. */
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

/** The event that a message reports: an email and the number of the event within it, or an event of a team. */
export interface EventSource {
  /** Id of the email, or of the team's event. */
  readonly id: string;
  /** Number of the event within its email, from 1; null if it is an event of a team. */
  readonly seq: number | null;
}

/** A message as the log shows it. */
export interface LoggedMessage extends WebhookMessage {
  readonly status: MessageStatus;
  /** Null: there will be no attempt. */
  readonly nextAttemptAt: Date | null;
}

/** A message that is to be sent now. */
export interface DueMessage extends WebhookMessage {
  /** Number of attempts made since the last replay. */
  readonly attempt: number;
  /** Grows with every replay while the message is queued. */
  readonly round: number;
}

export interface CallResult {
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /** The first KB of the response, or why there was none. */
  readonly response: string;
  readonly durationMs: number;
}

/** Only a 2xx status is a success. Redirects are not followed and count as failures. */
export function isSuccess({ status }: CallResult): boolean {
  return status >= 200 && status < 300;
}

export interface MessageAttempt extends CallResult {
  readonly id: string;
  readonly sentAt: Date;
}
