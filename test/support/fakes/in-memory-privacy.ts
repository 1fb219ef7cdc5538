import { Page, PageRequest } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  DataHolders,
  ErasureRepository,
  Portion,
  Subject,
} from '../../../libs/privacy/src/application/ports/erasure-repository.port.js';
import { Erasure, ErasureProgress, ErasureWork, LeasedErasure } from '../../../libs/privacy/src/domain/erasure.js';

type Row = Erasure &
  Pick<ErasureWork, 'holder' | 'position'> & { readonly address: string | null; readonly dueAt: Date };

/** Erasures without a database. Leases are not kept: a test has one worker. */
export class InMemoryErasures extends ErasureRepository {
  readonly rows = new InMemoryRows<Row>();

  async insert(erasure: Erasure, address: string, dueAt: Date): Promise<void> {
    this.rows.set({ ...erasure, address, dueAt, holder: null, position: null });
  }

  async find(teamId: string, id: string): Promise<Erasure | undefined> {
    const row = this.rows.get(id);
    return row?.teamId === teamId ? row : undefined;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Erasure>> {
    return this.rows.page(page, (row) => row.teamId === teamId);
  }

  async claim(_holder: string, now: Date): Promise<LeasedErasure | undefined> {
    const [row] = this.rows.where(({ status, dueAt }) => status === 'pending' && dueAt <= now);
    return row === undefined ? undefined : { ...row, openAddress: () => row.address ?? '' };
  }

  async renew(): Promise<void> {}

  async save(id: string, _holder: string, progress: ErasureProgress): Promise<void> {
    this.change(id, progress);
  }

  async delay(id: string, _holder: string, until: Date): Promise<void> {
    this.change(id, { dueAt: until });
  }

  async postpone(id: string, _holder: string, counts: ErasureProgress['counts'], until: Date): Promise<void> {
    this.change(id, { counts, dueAt: until, isWaiting: true, holder: null, position: null });
  }

  async complete(id: string, _holder: string, counts: ErasureProgress['counts'], now: Date): Promise<void> {
    this.change(id, { counts, status: 'completed', isWaiting: false, completedAt: now, address: null });
  }

  private change(id: string, fields: Partial<Row>): void {
    const row = this.rows.get(id);
    if (row !== undefined) this.rows.set({ ...row, ...fields });
  }
}

/** Lists of records, each of which is one portion. */
export class ListedData extends DataHolders {
  readonly erased: string[] = [];
  /** The list that cannot be erased yet. */
  waiting: string | undefined;
  /** The list whose erasure fails. */
  failing: string | undefined;

  constructor(private readonly lists: Readonly<Record<string, readonly string[]>>) {
    super();
  }

  get names(): readonly string[] {
    return Object.keys(this.lists);
  }

  async *records(name: string, { address }: Subject): AsyncGenerator<object> {
    for (const record of this.lists[name] ?? []) yield { record, address };
  }

  async erase(name: string, _subject: Subject, after: string | undefined): Promise<Portion> {
    const at = Number(after ?? 0);
    const records = this.lists[name] ?? [];
    if (this.failing === name) throw new Error(`${name} cannot be erased`);
    if (this.waiting === name) return { erased: 0, next: undefined, isWaiting: true };
    this.erased.push(`${name}: ${records[at]}`);
    return { erased: 1, next: at + 1 < records.length ? String(at + 1) : undefined, isWaiting: false };
  }
}
