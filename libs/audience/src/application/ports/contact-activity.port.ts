import { Transaction } from '#kernel';
import { Activity } from '../../domain/filters/filter.js';

/** What happened to mail to one address, and when it last did. */
export interface ContactAction {
  readonly teamId: string;
  /** In lower case. */
  readonly email: string;
  readonly activity: Activity;
  readonly at: Date;
}

/**
 * Stores when each contact was last sent something, opened it and clicked. The times are exact to an hour: a contact is
 * written at most once an hour for each kind, however many emails it gets and however often they are opened.
 */
export abstract class ContactActivity {
  /** Returns false if no team has contacts. */
  abstract isNeeded(transaction: Transaction): Promise<boolean>;

  /** Addresses without a contact are left out. Each address has at most one action of a kind. */
  abstract record(actions: readonly ContactAction[], transaction: Transaction): Promise<void>;
}
