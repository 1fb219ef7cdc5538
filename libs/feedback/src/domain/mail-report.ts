import type { BounceClass, ReplyCategory } from '#delivery';
import type { MailReport } from '#mime';

export type { MailReport, ReportedRecipient } from '#mime';

/** What a report means for the recipient that it is about. `recorded`: it changes nothing. */
export type Verdict =
  | { readonly kind: 'bounced'; readonly bounce: BounceData; readonly suppresses: boolean }
  | { readonly kind: 'delayed' | 'complained' | 'recorded' };

/** The data of `email.bounced` (docs/wire-contract.md section 22.4). */
export interface BounceData extends BounceClass {
  readonly message: string;
  readonly diagnosticCode: readonly string[];
}

/** What is kept of a report for whoever asks what happened. */
export interface ReportRecord {
  readonly kind: MailReport['kind'];
  readonly reporter: string;
  /** `failed`, `delayed`, ... of a report on delivery, the type of a feedback report, what an automatic answer is. */
  readonly action: string | null;
  readonly status: string | null;
  readonly category: ReplyCategory | null;
  readonly diagnostic: string | null;
}
