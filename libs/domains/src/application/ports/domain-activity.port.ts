import { Transaction } from '#kernel';

/** What goes on with a domain's mail. Implemented by whatever accepts emails. */
export abstract class DomainActivity {
  abstract hasScheduledEmails(domainId: string): Promise<boolean>;

  abstract hasSentSince(teamId: string, domainId: string, since: Date): Promise<boolean>;

  /** The domain is gone with the transaction: what is still on its way cannot be sent, and is to end without further delay. */
  abstract domainDeleted(domainId: string, transaction: Transaction): Promise<void>;
}
