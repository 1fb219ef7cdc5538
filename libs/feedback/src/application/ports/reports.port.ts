import type { ReturnPathOwner } from '#delivery';
import { Transaction } from '#kernel';
import { ReportRecord } from '../../domain/mail-report.js';

/** What followed from a report. */
export type ReportEffect = 'bounced' | 'delayed' | 'complained' | 'none';

/** The reports that came in, by the recipient that they are about. */
export abstract class Reports {
  /** False where the same has been reported before, or too much: then nothing may follow from it. */
  abstract add(
    owner: ReturnPathOwner,
    report: ReportRecord & { readonly effect: ReportEffect; readonly receivedAt: Date },
    transaction: Transaction,
  ): Promise<boolean>;
}
