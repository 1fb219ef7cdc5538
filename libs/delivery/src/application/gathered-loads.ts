import { isDatabaseAway } from '#kernel';

/** Bytes of content read with one query. */
const maxBytesAtOnce = 4 * 1024 * 1024;

interface Wanted<Item> {
  readonly id: string;
  readonly size: number;
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers the loads of one turn of the event loop into one query, up to 4 MB at a time. */
export class GatheredLoads<Item> {
  private wanted: Wanted<Item>[] = [];

  constructor(private readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>) {}

  /**
   * Undefined where there is no such item. An item that cannot be read rejects alone; without a database all reject.
   */
  load(id: string, size: number): Promise<Item | undefined> {
    return new Promise((resolve, reject) => {
      if (this.wanted.length === 0) setImmediate(() => this.readWanted());
      this.wanted.push({ id, size, resolve, reject });
    });
  }

  private readWanted(): void {
    const wanted = this.wanted;
    this.wanted = [];
    for (const batch of batchesOf(wanted)) void this.readBatch(batch);
  }

  private async readBatch(batch: readonly Wanted<Item>[]): Promise<void> {
    try {
      const items = await this.read([...new Set(batch.map(({ id }) => id))]);
      for (const { id, resolve } of batch) resolve(items.get(id));
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) return batch.forEach(({ reject }) => reject(error));
      for (const one of batch) await this.readBatch([one]);
    }
  }
}

function batchesOf<Item>(wanted: readonly Wanted<Item>[]): Wanted<Item>[][] {
  const batches: Wanted<Item>[][] = [];
  let bytes = Infinity;
  for (const one of wanted) {
    if (bytes + one.size > maxBytesAtOnce) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(one);
    bytes += one.size;
  }
  return batches;
}
