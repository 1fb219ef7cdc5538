import type { Transaction } from '#kernel';
import type { TeamEventType } from './event-types.js';

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
