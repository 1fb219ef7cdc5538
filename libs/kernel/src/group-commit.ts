import { failureKind, NoConnectionError } from './database-trouble.js';

/** The result of one item of a batch. */
export type ItemResult<Output> = { readonly value: Output } | { readonly error: unknown };

export interface GroupCommitOptions<Input = unknown> {
  /** Maximum number of items in one batch. */
  readonly maxBatch: number;
  /**
   * Number of batches that may be written at once. More than one keeps the CPU busy while another batch waits for its
   * disk flush.
   */
  readonly concurrency: number;
  /**
   * Number of batches that may be written at once where as many items wait as one batch takes: far from the database one
   * batch after the other would limit the throughput. Default: `concurrency`.
   */
  readonly maxFullBatches?: number;
  /**
   * How long the first item of a batch waits for others, in ms, unless the batch is full before. 0: until the end of the
   * current turn of the event loop.
   */
  readonly gatherMs: number;
  /**
   * True: after `gatherMs` without a batch, the next item is written at once and waits for no others, so that a caller
   * who sends one item at a time gets its response sooner. Default: false.
   */
  readonly isPrompt?: boolean;
  /** An item that waits longer, in ms, is refused with `NoConnectionError`. Default: no limit. */
  readonly patienceMs?: number;
  /** The owner of an item. When a batch is blocked, the items of one owner do not wait for those of another. */
  readonly ownerOf?: (input: Input) => string;
  /** Called with each item that made its batch fail, so that the next items of its owner can be written separately. */
  readonly onCulprit?: (input: Input) => void;
}

/**
 * How long the items of a blocked batch are written one by one, in ms. Where each of them waits for the same lock, the
 * last of 256 would wait for a quarter of an hour.
 */
const aloneForMs = 3_000;

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly submittedAt: number;
  readonly resolve: (value: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent writers share one transaction, so that throughput is not limited by one commit per message.
 *
 * While one batch is being written, the next one gathers. When a batch fails because of an item, its halves are written
 * separately, and so on, so that only the poisoned item fails: that takes 16 more transactions instead of 256 for one
 * item in
 * 256. When a batch fails because of the database, it is written once more unchanged. When it waited too long for a lock, the
 * items of each owner are written one by one, concurrently with those of other owners, for a limited time.
 *
 * A failed attempt may have been committed although its response was lost, so `write` must recognise items that it has
 * already written.
 */
export class GroupCommit<Input, Output> {
  private readonly waiting: Waiting<Input, Output>[] = [];
  private underWay = 0;
  private endedAt = -Infinity;
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
    const { maxBatch, concurrency, gatherMs, isPrompt } = this.options;
    if (this.waiting.length >= maxBatch) return this.start();
    // The end of a batch that is under way schedules the next one.
    if (this.scheduled || this.underWay >= concurrency) return;
    this.scheduled = true;
    const isAlone = isPrompt === true && this.underWay === 0 && performance.now() - this.endedAt > gatherMs;
    if (gatherMs > 0 && !isAlone) this.timer = setTimeout(() => this.start(), gatherMs);
    else setImmediate(() => this.start());
  }

  private goOn(): void {
    const [oldest] = this.waiting;
    if (oldest === undefined || this.scheduled) return;
    const leftMs = this.options.gatherMs - (performance.now() - oldest.submittedAt);
    if (leftMs <= 0 || this.waiting.length >= this.options.maxBatch) return this.start();
    this.scheduled = true;
    this.timer = setTimeout(() => this.start(), leftMs);
  }

  private start(): void {
    clearTimeout(this.timer);
    this.scheduled = false;
    while (this.waiting.length > 0 && this.mayBegin()) {
      void this.flush(this.waiting.splice(0, this.options.maxBatch));
    }
  }

  private mayBegin(): boolean {
    const { maxBatch, concurrency, maxFullBatches = concurrency } = this.options;
    return this.underWay < (this.waiting.length >= maxBatch ? maxFullBatches : concurrency);
  }

  private async flush(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    this.underWay++;
    try {
      await this.settle(this.withoutLate(batch));
    } finally {
      this.underWay--;
      this.endedAt = performance.now();
      this.goOn();
      if (this.waiting.length === 0 && this.underWay === 0) this.idle.splice(0).forEach((resolve) => resolve());
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
    // A duplicate in the second attempt may be an item that the first attempt committed. Written alone, `write`
    // recognises it.
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
