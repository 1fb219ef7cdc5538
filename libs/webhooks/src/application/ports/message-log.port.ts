import { Page, PageRequest } from '#kernel';
import { WebhookEventType } from '../../domain/event-types.js';
import { LoggedMessage, MessageAttempt, MessageStatus } from '../../domain/webhook-message.js';

export interface ReplayFilter {
  /** Of the events: from, inclusive, and to, exclusive. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** Undefined: all. */
  readonly types: readonly WebhookEventType[] | undefined;
  readonly statuses: readonly MessageStatus[];
}

export interface ReplayedBatch {
  readonly replayed: number;
  /** Id of the last message looked at; undefined: there are no more. */
  readonly last: string | undefined;
}

/** What was sent to an endpoint and what is to be. Callers have made sure whose endpoint it is. */
export abstract class MessageLog {
  /** Newest first. */
  abstract list(webhookId: string, page: PageRequest): Promise<Page<LoggedMessage>>;

  abstract find(webhookId: string, id: string): Promise<LoggedMessage | undefined>;

  /** Newest first. */
  abstract attempts(messageId: string, page: PageRequest): Promise<Page<MessageAttempt>>;

  /** Queues a message anew, due now, with all its tries. False where there is none. */
  abstract replay(webhookId: string, id: string, now: Date): Promise<boolean>;

  /** The same for those that fit among the next `limit` messages behind one, oldest first. */
  abstract replayBatch(
    webhookId: string,
    filter: ReplayFilter,
    after: string | undefined,
    limit: number,
    now: Date,
  ): Promise<ReplayedBatch>;
}
