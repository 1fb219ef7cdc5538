import { Page, PageRequest } from '#kernel';
import type { ReportKind } from '#domains';
import { DomainReport } from '../../domain/report.js';

export interface NewReport {
  readonly id: string;
  readonly teamId: string;
  readonly domainId: string;
  /** The domain that the message proved to come from. Null if it proved none: the report then counts for nothing. */
  readonly reporter: string | null;
  readonly receivedAt: Date;
  readonly report: DomainReport;
}

/** A report in the list of reports. */
export interface LoggedReport {
  readonly id: string;
  readonly kind: ReportKind;
  readonly reporter: string | null;
  readonly organization: string;
  readonly reportId: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
  readonly receivedAt: Date;
  /** Messages or sessions. */
  readonly total: number;
  /** Records that could not be used. */
  readonly unusable: number;
  readonly failure: LoggedFailure | null;
}

export interface LoggedFailure {
  readonly headerFrom: string;
  readonly source: string | null;
  readonly failure: string | null;
  readonly outcome: string | null;
  readonly dkimDomain: string | null;
}

/** Stores reports. What a report counts is added up by day, source and result. */
export abstract class ReportLog {
  /**
   * Stores the report and adds its rows, in one transaction. `known`: the same report of the same reporter is stored,
   * and nothing changed. `too_many`: the domain has as many reports of today as it may have, or of this reporter, and
   * nothing changed.
   *
   * Rows of a domain and day beyond a limit are added up without their source.
   */
  abstract add(report: NewReport): Promise<'added' | 'known' | 'too_many'>;

  /** Newest first. */
  abstract list(domainId: string, page: PageRequest, kind: ReportKind | undefined): Promise<Page<LoggedReport>>;
}

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
