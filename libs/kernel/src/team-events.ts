import { Transaction } from './transaction.js';

/** An event of a team that belongs to no email, but to a domain, a suppression or a contact. */
export interface TeamEvent {
  /** UUIDv7: events are ordered by it. */
  readonly id: string;
  readonly teamId: string;
  /** Name of the event in the contract (docs/wire-contract.md section 22.3), e.g. `suppression.added`. */
  readonly type: string;
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
