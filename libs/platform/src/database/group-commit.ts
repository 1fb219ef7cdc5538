import { NoConnectionError } from './connection-share.js';
import { failureKind } from './failure-kind.js';

/** What became of one item of a batch. */
export type ItemResult<Output> = { readonly value: Output } | { readonly error: unknown };

export interface GroupCommitOptions<Input = unknown> {
  /** Most items written at once. */
  readonly maxBatch: number;
  /** How many batches may be under way at once. More than one keeps the CPU busy while another batch waits for its flush. */
  readonly concurrency: number;
  /** How long the first item of an idle writer waits for company, in ms. 0 writes at the end of the current turn. */
  readonly gatherMs: number;
  /** An item whose turn has not come by then, in ms, is refused with `NoConnectionError`. Default: it waits. */
  readonly patienceMs?: number;
  /** Whose the item is. Where a batch fails, the items of one owner do not wait for those of another. */
  readonly ownerOf?: (input: Input) => string;
  /** Told of each item that made its batch fail, so that its owner's next ones can be kept apart. */
  readonly onCulprit?: (input: Input) => void;
}

/**
 * How long the items of a batch that waited for a lock in vain are written one by one, in ms. Where each of them waits for
 * the same lock, the last of 256 would wait for a quarter of an hour.
 */
const aloneForMs = 3_000;

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly submittedAt: number;
  readonly resolve: (value: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent writers share one transaction, so that throughput is not bounded by one commit a message.
 *
 * Batches form by themselves: while one is being written, the next gathers. When a batch fails for what is in it, its
 * halves are written on their own, and so on, so that a poisoned item fails alone and costs the others some transactions
 * more: 16 instead of 256 for one in 256. When it fails because the database does, it is written once more as it is.
 * When it waited too long for a lock, the items of each owner are written one by one beside those of the others, for a while.
 * The first time may have been committed all the same, with only the answer lost: the writer recognises what it wrote.
 */
export class GroupCommit<Input, Output> {
  private readonly waiting: Waiting<Input, Output>[] = [];
  private underWay = 0;
  private timer: NodeJS.Timeout | undefined;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly write: (inputs: readonly Input[]) => Promise<readonly ItemResult<Output>[]>,
    private readonly options: GroupCommitOptions<Input>,
  ) {}

  submit(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, submittedAt: performance.now(), resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when everything submitted so far has been written. */
  drain(): Promise<void> {
    if (this.underWay === 0 && this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (this.waiting.length >= this.options.maxBatch) {
      this.start();
      return;
    }
    if (this.scheduled) return;
    this.scheduled = true;
    if (this.options.gatherMs > 0) {
      this.timer = setTimeout(() => this.start(), this.options.gatherMs);
    } else {
      setImmediate(() => this.start());
    }
  }

  private start(): void {
    clearTimeout(this.timer);
    this.scheduled = false;
    while (this.underWay < this.options.concurrency && this.waiting.length > 0) {
      void this.flush(this.waiting.splice(0, this.options.maxBatch));
    }
  }

  private async flush(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    this.underWay++;
    try {
      await this.settle(this.withoutLate(batch));
    } finally {
      this.underWay--;
      if (this.waiting.length > 0) this.start();
      else if (this.underWay === 0) this.idle.splice(0).forEach((resolve) => resolve());
    }
  }

  private async settle(batch: readonly Waiting<Input, Output>[], isPart = false, again = false): Promise<void> {
    if (batch.length === 0) return;
    let results: readonly ItemResult<Output>[];
    try {
      results = await this.write(batch.map((item) => item.input));
    } catch (error) {
      return this.settleFailed(batch, error, isPart, again);
    }
    batch.forEach((item, index) => {
      const result = results[index];
      if (result === undefined) item.reject(new Error('The batch writer returned too few results'));
      else if ('error' in result) item.reject(result.error);
      else item.resolve(result.value);
    });
  }

  private async settleFailed(
    batch: readonly Waiting<Input, Output>[],
    error: unknown,
    isPart: boolean,
    again: boolean,
  ): Promise<void> {
    const kind = failureKind(error);
    // Values that were there before the second time are those of the first: each item is recognised alone.
    if (kind === 'refused' || (again && kind !== 'data'))
      return this.refuse(batch, error, isPart && kind !== 'trouble' && kind !== 'refused');
    if (kind === 'trouble') return this.settle(batch, isPart, true);
    if (kind === 'blocked' && batch.length > 1) {
      await Promise.all(this.byOwner(batch).map((items) => this.settleAlone(items, error)));
    } else if (batch.length > 1) {
      const middle = batch.length >> 1;
      await this.settle(batch.slice(0, middle), true);
      await this.settle(batch.slice(middle), true);
    } else if (kind === 'unknown') await this.settle(batch, isPart, true);
    else this.refuse(batch, error, isPart);
  }

  private refuse(batch: readonly Waiting<Input, Output>[], error: unknown, areCulprits: boolean): void {
    for (const { input, reject } of batch) {
      if (areCulprits) this.options.onCulprit?.(input);
      reject(error);
    }
  }

  private async settleAlone(items: readonly Waiting<Input, Output>[], failure: unknown): Promise<void> {
    const until = performance.now() + aloneForMs;
    for (const item of items) {
      if (performance.now() > until) item.reject(failure);
      else await this.settle([item], false, true);
    }
  }

  private byOwner(batch: readonly Waiting<Input, Output>[]): Waiting<Input, Output>[][] {
    const owned = new Map<string | undefined, Waiting<Input, Output>[]>();
    for (const item of batch) {
      const owner = this.options.ownerOf?.(item.input);
      const items = owned.get(owner);
      if (items === undefined) owned.set(owner, [item]);
      else items.push(item);
    }
    return [...owned.values()];
  }

  private withoutLate(batch: readonly Waiting<Input, Output>[]): readonly Waiting<Input, Output>[] {
    const { patienceMs = Infinity } = this.options;
    const oldest = performance.now() - patienceMs;
    for (const { submittedAt, reject } of batch) if (submittedAt < oldest) reject(new NoConnectionError());
    return batch.filter(({ submittedAt }) => submittedAt >= oldest);
  }
}
