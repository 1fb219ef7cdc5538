import { Page, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  ImportFiles,
  ImportLease,
  ImportProgress,
  ImportRepository,
} from '../../../libs/contact-imports/src/application/ports/import-repository.port.js';
import { ContactImport, ImportCounts, ImportStatus } from '../../../libs/contact-imports/src/domain/contact-import.js';
import { importLimits } from '../../../libs/contact-imports/src/domain/import-errors.js';
import { Refusal } from '../../../libs/contact-imports/src/domain/row.js';

const isUnfinished = (status: ImportStatus): boolean => status === 'queued' || status === 'in_progress';

interface Turn {
  holder: string | undefined;
  at: number;
  troubles: number;
}

/** The imports of one process. Leases do not end by time. */
export class InMemoryImportRepository extends ImportRepository {
  private readonly rows = new InMemoryRows<ContactImport>();
  private readonly turns = new Map<string, Turn>();
  private readonly refused = new Map<string, Refusal[]>();
  private clock = 0;

  async insert(contactImport: ContactImport, transaction: Transaction): Promise<void> {
    this.rows.set(contactImport, transaction);
    this.turns.set(contactImport.id, { holder: undefined, at: ++this.clock, troubles: 0 });
  }

  async find(teamId: string, id: string): Promise<ContactImport | undefined> {
    const row = this.rows.get(id);
    return row?.teamId === teamId ? row : undefined;
  }

  async list(teamId: string, page: PageRequest, status: ImportStatus | undefined): Promise<Page<ContactImport>> {
    return this.rows.page(page, (row) => row.teamId === teamId && (status === undefined || row.status === status));
  }

  async countUnfinished(teamId: string): Promise<number> {
    return this.unfinished(teamId).length;
  }

  async claim(holder: string): Promise<ImportLease | undefined> {
    const [next] = this.waiting().sort((a, b) => this.turn(a.id).at - this.turn(b.id).at);
    if (next === undefined) return undefined;
    Object.assign(this.turn(next.id), { holder, at: ++this.clock });
    const claimed: ContactImport = { ...next, status: 'in_progress' };
    this.rows.set(claimed);
    return { import: claimed, holder };
  }

  async othersWait(teamId: string): Promise<boolean> {
    return this.waiting().some((row) => row.teamId !== teamId);
  }

  async hold({ import: { id }, holder }: ImportLease): Promise<boolean> {
    const row = this.rows.get(id);
    return row !== undefined && isUnfinished(row.status) && this.turn(id).holder === holder;
  }

  async advance(id: string, { position, counts, refusals }: ImportProgress, transaction: Transaction): Promise<void> {
    const row = this.rows.get(id) as ContactImport;
    this.rows.set({ ...row, position, counts: sumOf(row.counts, counts) }, transaction);
    const known = this.refused.get(id) ?? [];
    this.refused.set(id, [...known, ...refusals].slice(0, importLimits.maxKeptRefusals));
    this.turn(id).troubles = 0;
  }

  async end(id: string, now: Date, failure: string | null, transaction: Transaction): Promise<void> {
    const row = this.rows.get(id) as ContactImport;
    this.rows.set(
      { ...row, status: failure === null ? 'completed' : 'failed', failure, completedAt: now },
      transaction,
    );
  }

  async release({ import: { id }, holder }: ImportLease): Promise<void> {
    const turn = this.turn(id);
    if (turn.holder === holder) Object.assign(turn, { holder: undefined, at: ++this.clock });
  }

  async postpone(lease: ImportLease): Promise<number> {
    await this.release(lease);
    return ++this.turn(lease.import.id).troubles;
  }

  async refusals(id: string, afterLine: number, limit: number): Promise<readonly Refusal[]> {
    return (this.refused.get(id) ?? []).filter(({ line }) => line > afterLine).slice(0, limit);
  }

  /** As if the worker had died long ago. */
  expire(id: string): void {
    this.turn(id).holder = undefined;
  }

  private unfinished(teamId: string): ContactImport[] {
    return this.rows.where((row) => row.teamId === teamId && isUnfinished(row.status));
  }

  /** Of each team the oldest one, unless a worker has it. */
  private waiting(): ContactImport[] {
    const all = this.rows.where(({ status }) => isUnfinished(status));
    const oldest = all.filter((row) => this.unfinished(row.teamId)[0]?.id === row.id);
    return oldest.filter(({ id }) => this.turn(id).holder === undefined);
  }

  private turn(id: string): Turn {
    return this.turns.get(id) as Turn;
  }
}

function sumOf(a: ImportCounts, b: ImportCounts): ImportCounts {
  return {
    total: a.total + b.total,
    created: a.created + b.created,
    updated: a.updated + b.updated,
    skipped: a.skipped + b.skipped,
    failed: a.failed + b.failed,
  };
}

export class InMemoryImportFiles extends ImportFiles {
  readonly files = new Map<string, Uint8Array[]>();

  requireRoom(): void {}

  async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const kept: Uint8Array[] = [];
    for await (const chunk of chunks) kept.push(chunk);
    if (kept.length > 0) this.files.set(id, kept);
    return kept.reduce((sum, { length }) => sum + length, 0);
  }

  async read(id: string, chunk: number): Promise<Uint8Array | undefined> {
    return this.files.get(id)?.[chunk];
  }

  async remove(id: string): Promise<void> {
    this.files.delete(id);
  }
}

/** Bytes that arrive in pieces. */
export async function* arriving(text: string | Uint8Array, pieceBytes = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
