import type { WebhookEventType } from '#events';
import { Page, PageRequest } from '#kernel';
import { StoredEvent } from '../../domain/payload.js';
import { DueMessage, LoggedMessage, MessageAttempt, MessageStatus } from '../../domain/webhook-message.js';

export interface TestMessage {
  readonly message: DueMessage;
  readonly event: StoredEvent;
}

export interface ReplayFilter {
  /** Times of the events: `from` is inclusive, `to` exclusive. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** Undefined: all types. */
  readonly types: readonly WebhookEventType[] | undefined;
  readonly statuses: readonly MessageStatus[];
}

export interface ReplayedBatch {
  readonly replayed: number;
  /** Id of the last message examined; undefined if there are no more. */
  readonly last: string | undefined;
}

/** The messages of an endpoint, sent or waiting. The caller has checked that the endpoint belongs to the team. */
export abstract class MessageLog {
  /** Newest first. */
  abstract list(webhookId: string, page: PageRequest): Promise<Page<LoggedMessage>>;

  abstract find(webhookId: string, id: string): Promise<LoggedMessage | undefined>;

  /** Newest first. */
  abstract attempts(messageId: string, page: PageRequest): Promise<Page<MessageAttempt>>;

  /**
   * Adds a message of the type `webhook.test` for this endpoint only. The caller sends it; workers send it from `dueAt` on,
   * if the caller could not settle its call.
   */
  abstract addTest(teamId: string, webhookId: string, now: Date, dueAt: Date): Promise<TestMessage>;

  /** Queues a message again: due now, with all its tries. Resolves to false if there is no such message. */
  abstract replay(webhookId: string, id: string, now: Date): Promise<boolean>;

  /** Examines up to `limit` messages after the one named, oldest first, and queues those that match the filter again. */
  abstract replayBatch(
    webhookId: string,
    filter: ReplayFilter,
    after: string | undefined,
    limit: number,
    now: Date,
  ): Promise<ReplayedBatch>;
}
