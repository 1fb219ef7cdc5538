import type { ReturnPathOwner } from '#delivery';
import { Transaction } from '#kernel';
import { ReportRecord } from '../../domain/mail-report.js';

/** The change that a report has caused. */
export type ReportEffect = 'bounced' | 'delayed' | 'complained' | 'none';

/** The received reports, stored by the recipient that they concern. */
export abstract class Reports {
  /** Resolves to false if the same report, or too many, came before. The report must then have no effect. */
  abstract add(
    owner: ReturnPathOwner,
    report: ReportRecord & { readonly effect: ReportEffect; readonly receivedAt: Date },
    transaction: Transaction,
  ): Promise<boolean>;
}
