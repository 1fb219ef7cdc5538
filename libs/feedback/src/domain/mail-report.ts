import type { BounceClass, ReplyCategory } from '#delivery';
import type { MailReport } from '#mime';

export type { MailReport, ReportedRecipient } from '#mime';

/** What a report means for the recipient that it concerns. `recorded`: it changes nothing. */
export type ReportVerdict =
  | { readonly kind: 'bounced'; readonly bounce: BounceData; readonly suppresses: boolean }
  | { readonly kind: 'delayed' | 'complained' | 'recorded' };

/** The data of `email.bounced` (docs/wire-contract.md section 22.4). */
export interface BounceData extends BounceClass {
  readonly message: string;
  readonly diagnosticCode: readonly string[];
}

/** The stored fields of a report, for the trace of the email. */
export interface ReportRecord {
  readonly kind: MailReport['kind'];
  readonly reporter: string;
  /** `failed`, `delayed`, … for a delivery report; the type of a feedback report; the kind of an automatic reply. */
  readonly action: string | null;
  readonly status: string | null;
  readonly category: ReplyCategory | null;
  readonly diagnostic: string | null;
}
