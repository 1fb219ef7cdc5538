import type { Actor } from '#identity';
import { Transaction } from '#kernel';
import { ImportedContact } from '../../domain/imports/imported-contact.js';

/** Rows of a file that are written together. */
export interface ImportBatch {
  /** The import, for the history of the contacts. */
  readonly importId: string;
  readonly teamId: string;
  readonly actor: Actor;
  readonly rows: readonly ImportedContact[];
  /** What happens to rows whose address is known. `skip` leaves them out wholly, with their segments and topics. */
  readonly onConflict: 'upsert' | 'skip';
  /** Segments without a filter, to which the contacts are added. Those that were deleted are left out. */
  readonly segmentIds: readonly string[];
  /** Choices for the contacts. A topic that a contact refused itself stays refused. */
  readonly topics: readonly { readonly id: string; readonly subscription: 'opt_in' | 'opt_out' }[];
  readonly now: Date;
}

/** By rows: an address that stands in the batch three times can be created once and updated twice. */
export interface WrittenRows {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  /**
   * Rows that would give a contact more values than it may have. Nothing of them is written. Their places among the
   * rows.
   */
  readonly refused: readonly number[];
}

/** A batch that is ready to be written. */
export abstract class PreparedContacts {
  /**
   * Writes the batch, or nothing if it throws. A transaction whose statements are sent together must be rolled back
   * only after this has ended.
   */
  abstract write(transaction: Transaction): Promise<WrittenRows>;
}

/**
 * Writes the contacts of files in statements whose number does not depend on the number of rows. Writes the history of the
 * contacts too, and no events (docs/wire-contract.md section 12.5).
 */
export abstract class ImportedContacts {
  /**
   * Does the work that needs no transaction, so that it can be done while the batch before is written. Other work goes
   * on between its parts.
   */
  abstract prepare(batch: ImportBatch): Promise<PreparedContacts>;
}
