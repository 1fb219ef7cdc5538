import { Transaction } from './transaction.js';

/** Something that happened in a team and belongs to no email: to a domain, a suppression, a contact. */
export interface TeamEvent {
  /** UUIDv7: also the order of the events. */
  readonly id: string;
  readonly teamId: string;
  /** As the contract names it (docs/wire-contract.md section 22.3), e.g. `suppression.added`. */
  readonly type: string;
  /** The `data` of its webhook (section 22.4), in the contract's spelling. Stored as it is. */
  readonly data: object;
  readonly createdAt: Date;
}

/**
 * The outbox of what customers are told beside the events of their emails. An event is appended in the transaction of
 * the change it tells of: neither is ever there without the other.
 */
export abstract class TeamEvents {
  abstract append(events: readonly TeamEvent[], transaction: Transaction): Promise<void>;
}
