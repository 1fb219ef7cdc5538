import { NoConnectionError } from './connection-share.js';

/** What became of one item of a batch. */
export type ItemResult<Output> = { readonly value: Output } | { readonly error: unknown };

export interface GroupCommitOptions<Input = unknown> {
  /** Most items written at once. */
  readonly maximumBatch: number;
  /** How many batches may be under way at once. More than one keeps the CPU busy while another batch waits for its flush. */
  readonly concurrency: number;
  /** How long the first item of an idle writer waits for company, in ms. 0 writes at the end of the current turn. */
  readonly gatherMs: number;
  /** An item whose turn has not come by then, in ms, is refused with `NoConnectionError`. Default: it waits. */
  readonly patienceMs?: number;
  /** Whose the item is. Where a batch fails, the items of one owner do not wait for those of another. */
  readonly ownerOf?: (input: Input) => string;
}

/**
 * How long the items of a batch that failed are written one by one, in ms. Where each of them waits for the same lock or
 * connection, the last of 256 would wait for a quarter of an hour.
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
 * Batches form by themselves: while one is being written, the next gathers. When a batch fails as a whole, each of its
 * items is written once more on its own, so that one poisoned item fails alone and the others are not refused for it. Those
 * that cannot be tried soon fail as their batch did.
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
    if (this.waiting.length >= this.options.maximumBatch) {
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
      void this.flush(this.waiting.splice(0, this.options.maximumBatch));
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

  private async settleAlone(items: readonly Waiting<Input, Output>[], failure: unknown): Promise<void> {
    const until = performance.now() + aloneForMs;
    for (const item of items) {
      if (performance.now() > until) item.reject(failure);
      else await this.settle([item], true);
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

  private async settle(batch: readonly Waiting<Input, Output>[], again = false): Promise<void> {
    if (batch.length === 0) return;
    let results: readonly ItemResult<Output>[];
    try {
      results = await this.write(batch.map((item) => item.input));
    } catch (error) {
      if (again) for (const item of batch) item.reject(error);
      else await Promise.all(this.byOwner(batch).map((items) => this.settleAlone(items, error)));
      return;
    }
    batch.forEach((item, index) => {
      const result = results[index];
      if (result === undefined) item.reject(new Error('The batch writer returned too few results'));
      else if ('error' in result) item.reject(result.error);
      else item.resolve(result.value);
    });
  }
}
