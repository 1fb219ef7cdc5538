import { Page, PageRequest, Transaction } from '#kernel';
import { ContactImport, FilePosition, ImportCounts, ImportStatus } from '../../domain/contact-import.js';
import { Refusal } from '../../domain/row.js';

/** The right of one worker to an import. It ends when it is released, or when the worker did not renew it in time. */
export interface ImportLease {
  readonly import: ContactImport;
  readonly holder: string;
}

/** How far an import came. */
export interface ImportProgress {
  readonly position: FilePosition;
  /** To be added. */
  readonly counts: ImportCounts;
  readonly refusals: readonly Refusal[];
}

/** The notification that wakes the workers of all processes: an import was inserted. The payload is its id. */
export const importQueued = 'import-queued';

/** Stores the imports of all teams, and which worker works on which. */
export abstract class ImportRepository {
  /** Sends `importQueued` at the commit. */
  abstract insert(contactImport: ContactImport, transaction: Transaction): Promise<void>;

  abstract find(teamId: string, id: string): Promise<ContactImport | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest, status: ImportStatus | undefined): Promise<Page<ContactImport>>;

  abstract countUnfinished(teamId: string, transaction?: Transaction): Promise<number>;

  /**
   * Takes the import whose turn it is: of each team the oldest unfinished one, the team that has waited longest first.
   * Undefined if none waits. The lease lasts `leaseSeconds` from now, and again from every `advance`.
   */
  abstract claim(holder: string): Promise<ImportLease | undefined>;

  /** Whether the import of another team waits for a worker. */
  abstract othersWait(teamId: string): Promise<boolean>;

  /** Locks the import until the transaction ends. Returns false if the worker has lost the lease. */
  abstract hold(lease: ImportLease, transaction: Transaction): Promise<boolean>;

  /** Adds progress to an import that is held. Without refusals it sends its only statement at once. */
  abstract advance(id: string, progress: ImportProgress, transaction: Transaction): Promise<void>;

  /** Ends an import that is held. `failure` says why it failed. */
  abstract end(id: string, now: Date, failure: string | null, transaction: Transaction): Promise<void>;

  /** Gives the lease back, so that others may go on. */
  abstract release(lease: ImportLease): Promise<void>;

  /** Gives the lease back for a while after an unexpected error. Returns how many there were since the last progress. */
  abstract postpone(lease: ImportLease): Promise<number>;

  /** Refused rows in the order of their lines, behind this line. */
  abstract refusals(id: string, afterLine: number, limit: number): Promise<readonly Refusal[]>;
}

export const leaseSeconds = 30;

/**
 * Stores the files of imports in chunks, from their upload until they are imported.
 *
 * A file is durable when `write` resolves. It contains personal data: `remove` removes it as soon as it is not needed
 * any more, and files without an import are removed within a day.
 */
export abstract class ImportFiles {
  /** Throws a DomainError if the disk has no space for more files. */
  abstract requireRoom(): void;

  /**
   * Stores the chunks as they arrive. If they throw, it throws the same error and keeps nothing. Returns their size in
   * bytes.
   */
  abstract write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;

  /** One chunk, from 0. Undefined after the last one. */
  abstract read(id: string, chunk: number): Promise<Uint8Array | undefined>;

  /** It is no error if there is no such file. */
  abstract remove(id: string): Promise<void>;
}
