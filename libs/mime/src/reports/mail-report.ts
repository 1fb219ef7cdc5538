/** What became of a message at one recipient, as somebody else's server tells it (RFC 3464 section 2.3). */
export interface ReportedRecipient {
  /** Every address that the report gives this recipient, in lower case: final, original. May be empty. */
  readonly addresses: readonly string[];
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** Enhanced status code (RFC 3463), the more exact one where there are two. */
  readonly status: string | undefined;
  /** The SMTP reply code that the report quotes. */
  readonly replyCode: number | undefined;
  /** In words, on one line, at most 1,000 characters. */
  readonly diagnostic: string | undefined;
}

/** What a message that came back for one of ours is. `reporter` is a host or an address: who says so. */
export type MailReport =
  | { readonly kind: 'delivery'; readonly reporter: string; readonly recipients: readonly ReportedRecipient[] }
  /** `feedbackType` as in RFC 5965, in lower case: `abuse`, `not-spam`, ... */
  | { readonly kind: 'feedback'; readonly reporter: string; readonly feedbackType: string }
  /** Written by no human, and says nothing about delivery. */
  | { readonly kind: 'automatic'; readonly reporter: string; readonly what: 'auto-reply' | 'challenge' | 'receipt' }
  | { readonly kind: 'unknown'; readonly reporter: string };
