import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LeasedWork, LeasedWorkOptions, WorkHost } from './leased-work.js';

/** Rows that wait, of which each is worked on until the test ends it. */
class WaitingRows extends LeasedWork<string> {
  readonly waiting: string[] = [];
  readonly begun: string[] = [];
  readonly renewed: string[] = [];
  readonly ends = new Map<string, (error?: Error) => void>();
  claims = 0;
  signal: AbortSignal | undefined;

  constructor(host: WorkHost, options: Partial<LeasedWorkOptions> = {}) {
    super(host, { task: 'working', found: 'true', everyMs: 1_000, wokenBy: 'more-work', ...options });
  }

  protected async claim(limit: number): Promise<readonly string[]> {
    this.claims++;
    return this.waiting.splice(0, limit);
  }

  protected work(lease: string, stopping: AbortSignal): Promise<void> {
    this.begun.push(lease);
    this.signal = stopping;
    return new Promise((resolve, reject) => {
      this.ends.set(lease, (error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  protected override async renew(lease: string): Promise<void> {
    this.renewed.push(lease);
  }
}

describe('work that processes lease', () => {
  const warn = jest.fn();
  let tick: () => Promise<unknown>;
  let wake: () => void;
  const host = {
    search: { every: (_ms: number, _task: string, _found: string, look: () => Promise<unknown>) => (tick = look) },
    notifications: { on: (_topic: string, listener: () => void) => (wake = listener) },
    logger: { warn },
  } as unknown as WorkHost;
  const start = (options?: Partial<LeasedWorkOptions>, ...waiting: string[]): WaitingRows => {
    const work = new WaitingRows(host, options);
    work.waiting.push(...waiting);
    work.onApplicationBootstrap();
    return work;
  };
  const settled = async (): Promise<void> => void (await jest.advanceTimersByTimeAsync(0));

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
  });
  afterEach(() => void jest.useRealTimers());

  it('goes on from lease to lease until none is left, and then waits for the next search', async () => {
    const work = start({}, 'a', 'b');
    await tick();
    expect(work.begun).toEqual(['a']);
    work.ends.get('a')?.();
    await settled();
    work.ends.get('b')?.();
    await settled();
    expect(work.begun).toEqual(['a', 'b']);
    const { claims } = work;
    await settled();
    expect(work.claims).toBe(claims);
    work.waiting.push('c');
    await tick();
    expect(work.begun).toEqual(['a', 'b', 'c']);
  });

  it('has at most its share at once, and claims what is free', async () => {
    const work = start({ maxLeases: 2 }, 'a', 'b', 'c');
    await tick();
    await tick();
    expect(work.begun).toEqual(['a', 'b']);
    work.ends.get('b')?.();
    await settled();
    expect(work.begun).toEqual(['a', 'b', 'c']);
  });

  it('is woken by a notification', async () => {
    const work = start({}, 'a');
    wake();
    await settled();
    expect(work.begun).toEqual(['a']);
  });

  it('logs a failure, and searches again only at its time', async () => {
    const work = start({}, 'a', 'b');
    await tick();
    work.ends.get('a')?.(new Error('no'));
    await settled();
    expect(work.begun).toEqual(['a']);
    expect(warn).toHaveBeenCalledWith(expect.anything(), 'working failed; it is tried again');
    await tick();
    expect(work.begun).toEqual(['a', 'b']);
  });

  it('sends heartbeats while it works, and none afterwards', async () => {
    const work = start({ renewEveryMs: 1_000 }, 'a');
    await tick();
    await jest.advanceTimersByTimeAsync(2_500);
    expect(work.renewed).toEqual(['a', 'a']);
    work.ends.get('a')?.();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(work.renewed).toEqual(['a', 'a']);
  });

  it('tells running work of a stop, waits for it, and claims no more', async () => {
    const work = start({}, 'a', 'b');
    await tick();
    let isStopped = false;
    const stopping = work.beforeApplicationShutdown().then(() => (isStopped = true));
    await settled();
    expect([work.signal?.aborted, isStopped]).toEqual([true, false]);
    work.ends.get('a')?.();
    await stopping;
    await tick();
    expect(work.begun).toEqual(['a']);
  });

  it('does not hold up a stop for more than 10 s', async () => {
    const work = start({}, 'a');
    await tick();
    const stopping = work.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
  });
});
