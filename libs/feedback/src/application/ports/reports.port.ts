import type { ReturnPathOwner } from '#delivery';
import type { RecipientStatus } from '#emails';
import { Transaction } from '#kernel';
import { ReportRecord } from '../../domain/mail-report.js';

/** The recipient that a report is about, as it is now. */
export interface ReportedOn {
  readonly teamId: string;
  readonly address: string;
  readonly status: RecipientStatus;
  /** Somebody has been told before that its delivery is delayed. */
  readonly wasDelayed: boolean;
}

/** What followed from a report. */
export type ReportEffect = 'bounced' | 'delayed' | 'complained' | 'none';

/** The reports that came in, by the recipient that they are about. */
export abstract class Reports {
  /** Undefined where there is no such recipient any more. Until the end of the transaction no other report on it gets in. */
  abstract lock(owner: ReturnPathOwner, transaction: Transaction): Promise<ReportedOn | undefined>;

  /** False where the same has been reported before, or too much: then nothing may follow from it. */
  abstract add(
    owner: ReturnPathOwner,
    report: ReportRecord & { readonly effect: ReportEffect; readonly receivedAt: Date },
    transaction: Transaction,
  ): Promise<boolean>;
}
