import type { ReportKind } from '#domains';
import { DomainReport } from '../../domain/report.js';

/** The report, or why there is none. */
export type ReadReport = { readonly report: DomainReport } | { readonly unreadable: string };

/**
 * Reads untrusted messages as reports. Never throws for any content: archives that grow without end, entities, and what
 * takes too long are `unreadable`. Throws a DomainError of kind `unavailable` if too many wait to be read.
 */
export abstract class ReportReader {
  /** The work is charged to the owners, all of them. The bytes may be moved, so the caller must not use them afterwards. */
  abstract read(
    content: Uint8Array,
    question: { readonly kind: ReportKind; readonly receivedAt: Date },
    owners: readonly string[],
  ): Promise<ReadReport>;
}
