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
 * Decides on recipients, before the content of a message is sent. Must be cheap: it runs for each RCPT of strangers. Where it
 * throws, the client is told to try again later.
 */
export abstract class RecipientRouting {
  abstract decide(question: RecipientQuestion): Promise<RecipientDecision>;
}
