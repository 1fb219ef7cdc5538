import { Transaction } from '#kernel';

/** Whose mail to which provider had bad outcomes. */
export interface TroubledPair {
  readonly teamId: string;
  readonly domainId: string;
  readonly provider: string;
}

/** Hosts refuse the sender's address in mail of a domain. */
export interface RefusedSender {
  readonly teamId: string;
  readonly domainId: string;
  /** One of their replies, without addresses. */
  readonly reply: string | null;
}

/** Is told of bad outcomes when they are counted: by the guard of reputations, which this lib does not know. */
export abstract class BadOutcomes {
  /** Within the transaction that counts them. Pairs are distinct. */
  abstract touched(pairs: readonly TroubledPair[], transaction: Transaction): Promise<void>;

  /** Within the transaction that counts them. Domains are distinct. */
  abstract senderRefused(senders: readonly RefusedSender[], transaction: Transaction): Promise<void>;
}
