import { Transaction } from './transaction.js';

/** The types of events of a team (docs/wire-contract.md section 22.3). */
export type TeamEventType =
  | 'contact.created'
  | 'contact.updated'
  | 'contact.deleted'
  | 'contact.topics.updated'
  | 'domain.created'
  | 'domain.updated'
  | 'domain.deleted'
  | 'domain.reputation_changed'
  | 'domain.warm_up_changed'
  | 'email.received'
  | 'inbox.created'
  | 'inbox.updated'
  | 'inbox.deleted'
  | 'inbox.thread.created'
  | 'inbox.thread.folder.updated'
  | 'inbox.thread.labels.updated'
  | 'inbox.email.received'
  | 'inbox.email.sent'
  | 'inbox.draft.created'
  | 'inbox.draft.updated'
  | 'inbox.draft.sent'
  | 'inbox.draft.deleted'
  | 'suppression.added'
  | 'suppression.removed'
  | 'topic.created'
  | 'topic.updated'
  | 'topic.deleted';

/** An event of a team that belongs to no sent email (docs/wire-contract.md section 22.3). */
export interface TeamEvent {
  /** UUIDv7: events are ordered by it. */
  readonly id: string;
  readonly teamId: string;
  /** `webhook.test` goes to the one endpoint that asked for it. */
  readonly type: TeamEventType | 'webhook.test';
  /** The `data` of its webhook (section 22.4), with the field names of the contract. It is stored unchanged. */
  readonly data: object;
  readonly createdAt: Date;
}

/**
 * The outbox for events that customers receive besides the events of their emails. An event is appended in the transaction
 * of the change that it describes, so that both are committed or neither.
 */
export abstract class TeamEvents {
  abstract append(events: readonly TeamEvent[], transaction: Transaction): Promise<void>;
}
