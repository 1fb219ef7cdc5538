import type { Actor } from '#identity';
import { ColumnMapping } from './column-mapping.js';
import { storedChunkBytes } from './import-errors.js';
import { TextEncoding } from './text/encoding.js';

export const importStatuses = ['queued', 'in_progress', 'completed', 'failed'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** What happens to rows whose address is known: their values are taken over, or the row is left out. */
export type OnConflict = 'upsert' | 'skip';

export interface ImportCounts {
  /** Rows that were read so far. Empty lines do not count. */
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  /** Rows that were refused. */
  readonly failed: number;
}

export const noCounts: ImportCounts = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

/** A position in a stored file, always between two records. */
export interface FilePosition {
  /** Number of the chunk, from 0. */
  readonly chunk: number;
  /** Bytes of UTF-8 into the chunk. */
  readonly offset: number;
  /** Line of the record that follows, from 1. */
  readonly line: number;
}

/** How the stored bytes are read. */
export interface FileFormat {
  readonly encoding: TextEncoding;
  readonly delimiter: string;
}

export interface ImportedTopic {
  readonly id: string;
  readonly subscription: 'opt_in' | 'opt_out';
}

/** A file of contacts that was accepted, and how far it is imported. */
export interface ContactImport {
  readonly id: string;
  readonly teamId: string;
  readonly actor: Actor;
  /** The name of the file, as the client gave it; null if it gave none. */
  readonly fileName: string | null;
  readonly status: ImportStatus;
  readonly format: FileFormat;
  readonly mapping: ColumnMapping;
  readonly onConflict: OnConflict;
  readonly segmentIds: readonly string[];
  readonly topics: readonly ImportedTopic[];
  /** Bytes that are stored. */
  readonly size: number;
  readonly position: FilePosition;
  readonly counts: ImportCounts;
  /** Why it failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** In whole percent, by the chunks that are done. 100 only if it is completed. */
export function progressOf({ status, size, position }: ContactImport): number {
  if (status === 'completed') return 100;
  const done = position.chunk * storedChunkBytes + position.offset;
  return Math.min(99, Math.floor((done / Math.max(1, size)) * 100));
}
