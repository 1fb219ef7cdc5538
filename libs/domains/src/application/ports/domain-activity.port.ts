import { Transaction } from '#kernel';

/** Tells whether a domain's mail is in use. The emails lib implements it. */
export abstract class DomainActivity {
  abstract hasScheduledEmails(domainId: string): Promise<boolean>;

  abstract hasSentSince(teamId: string, domainId: string, since: Date): Promise<boolean>;

  /**
   * Called in the transaction that deletes the domain. Mail that is still queued cannot be sent any more, so its
   * delivery must end soon.
   */
  abstract domainDeleted(domainId: string, transaction: Transaction): Promise<void>;
}
