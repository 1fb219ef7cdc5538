import { ReceivedEmail } from '../../domain/received-email.js';

/** One RCPT of a client without a login, for a domain that receives. */
export interface RecipientQuestion {
  readonly teamId: string;
  readonly domainId: string;
  /** The recipient as given, with a normalised domain. */
  readonly recipient: string;
  /** Reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
}

export type RecipientDecision =
  | {
      readonly kind: 'accept';
      /** Whether `email.received` is written in the transaction that stores the email. */
      readonly announce: boolean;
      /** Whether `ReceivedMailActions` runs for the email after the commit. */
      readonly act: boolean;
    }
  /** Answered with 250 and not kept for this recipient. */
  | { readonly kind: 'discard' }
  /** A permanent refusal: 550 with this text. */
  | { readonly kind: 'reject'; readonly enhancedCode?: string; readonly text: string }
  /** A temporary refusal: 451 with this text. */
  | { readonly kind: 'temporary'; readonly text: string };

/**
 * Decides on recipients, before the content of a message is sent, in each process that receives. Must be cheap: it runs
 * for each RCPT of strangers. If it throws, the client is told to try again later.
 */
export abstract class RecipientRouting {
  abstract decide(question: RecipientQuestion): Promise<RecipientDecision>;
}

/** An address that belongs to a team though its domain does not. */
export interface TeamAddress {
  readonly teamId: string;
  /** The domain of the team that the mail is for. */
  readonly domainId: string;
}

/**
 * Addresses at the hosts of this service that belong to teams. It is asked for each RCPT of strangers to a domain that
 * receives no mail here, so it must answer without a look-up for anything that cannot be such an address.
 */
export abstract class TeamAddresses {
  /** `address`: the recipient as given, with a normalised domain. */
  abstract find(address: string): Promise<TeamAddress | undefined>;
}

/**
 * How a run ended:
 *
 *     done      nothing is left to do
 *     more      it made way for others after some of its work, and runs again at once
 *     waiting   nothing failed, but somebody else is still at it; it runs again after `afterMs`
 *     later     something failed; it runs again after a pause that grows, and not before `afterMs` have passed
 */
export type ActionOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'more' }
  | { readonly kind: 'waiting'; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs?: number };

/**
 * What happens to a received email beside storing it: forwards, deliveries to other hosts, conditional webhooks.
 *
 * Runs in a worker after the commit, from a row that the accepting transaction wrote, for emails of which
 * `RecipientRouting` said `act` for one recipient at least. Runs at least once: an implementation must recognise what
 * it has already done. An email whose action throws or says `later` runs again after a growing pause, for five days.
 */
export abstract class ReceivedMailActions {
  /** `isAnnounced`: whether `email.received` was written with the email, by what `RecipientRouting` said then. */
  abstract run(email: ReceivedEmail, isAnnounced: boolean): Promise<ActionOutcome>;
}
