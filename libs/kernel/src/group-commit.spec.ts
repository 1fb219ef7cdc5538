import { describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '#kernel';
import { GroupCommit, GroupCommitOptions } from './group-commit.js';

const options: GroupCommitOptions = { maxBatch: 10, concurrency: 1, gatherMs: 0 };

function recording(overrides: Partial<GroupCommitOptions<number>> = {}, poison?: number) {
  const batches: number[][] = [];
  const writer = new GroupCommit<number, number>(
    async (inputs) => {
      batches.push([...inputs]);
      if (poison !== undefined && inputs.includes(poison)) throw new Error(`${poison} is poisoned`);
      return inputs.map((input) => ({ value: input * 2 }));
    },
    { ...options, ...overrides },
  );
  return { batches, writer };
}

const blocked = (): Error => Object.assign(new Error('a lock was not to be had'), { code: '55P03' });

describe('GroupCommit', () => {
  it('writes items that are submitted together in one batch, and resolves each with its own result', async () => {
    const { batches, writer } = recording();
    expect(await Promise.all([1, 2, 3].map((input) => writer.submit(input)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('gathers the next batch while one is being written', async () => {
    const { batches, writer } = recording();
    const first = writer.submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    const later = [2, 3].map((input) => writer.submit(input));
    await Promise.all([first, ...later]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('gathers for the whole time after a batch as well, however soon that was written', async () => {
    jest.useFakeTimers();
    try {
      const { batches, writer } = recording({ gatherMs: 20 });
      const first = writer.submit(1);
      await jest.advanceTimersByTimeAsync(19);
      expect(batches).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      await first;
      const later = [writer.submit(2)];
      await jest.advanceTimersByTimeAsync(10);
      later.push(writer.submit(3));
      await jest.advanceTimersByTimeAsync(10);
      await Promise.all(later);
      expect(batches).toEqual([[1], [2, 3]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('writes a prompt item at once, unless others were written a moment ago', async () => {
    jest.useFakeTimers();
    try {
      const { batches, writer } = recording({ gatherMs: 20, isPrompt: true });
      const first = writer.submit(1);
      await jest.advanceTimersByTimeAsync(0);
      await first;
      const later = [writer.submit(2)];
      await jest.advanceTimersByTimeAsync(19);
      later.push(writer.submit(3));
      await jest.advanceTimersByTimeAsync(1);
      await Promise.all(later);
      expect(batches).toEqual([[1], [2, 3]]);
      await jest.advanceTimersByTimeAsync(21);
      const last = writer.submit(4);
      await jest.advanceTimersByTimeAsync(0);
      await last;
      expect(batches).toEqual([[1], [2, 3], [4]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets items that came while a batch was written wait only for what is left of their time', async () => {
    jest.useFakeTimers();
    try {
      const batches: number[][] = [];
      const writer = new GroupCommit<number, number>(
        async (inputs) => {
          batches.push([...inputs]);
          await new Promise((resolve) => setTimeout(resolve, 15));
          return inputs.map((value) => ({ value }));
        },
        { ...options, gatherMs: 20 },
      );
      void writer.submit(1);
      await jest.advanceTimersByTimeAsync(20);
      void writer.submit(2);
      await jest.advanceTimersByTimeAsync(15);
      void writer.submit(3);
      await jest.advanceTimersByTimeAsync(4);
      expect(batches).toEqual([[1]]);
      await jest.advanceTimersByTimeAsync(1);
      expect(batches).toEqual([[1], [2, 3]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('splits items into batches of at most `maxBatch`', async () => {
    const { batches, writer } = recording({ maxBatch: 2 });
    await Promise.all([1, 2, 3, 4, 5].map((input) => writer.submit(input)));
    expect(batches.map((batch) => batch.length)).toEqual([2, 2, 1]);
  });

  it('writes several batches at once while each of them is full', async () => {
    const batches: number[][] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const writer = new GroupCommit<number, number>(
      async (inputs) => {
        batches.push([...inputs]);
        await ended;
        return inputs.map((value) => ({ value }));
      },
      { maxBatch: 2, concurrency: 1, maxFullBatches: 2, gatherMs: 0 },
    );
    const all = [1, 2, 3, 4, 5, 6, 7].map((input) => writer.submit(input));
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    end();
    await Promise.all(all);
    expect(batches.slice(2)).toEqual([[5, 6], [7]]);
  });

  it('rejects only the poisoned item', async () => {
    const { writer } = recording({}, 2);
    const results = await Promise.allSettled([1, 2, 3].map((input) => writer.submit(input)));
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: { message: '2 is poisoned' } },
      { status: 'fulfilled', value: 6 },
    ]);
  });

  it('finds a poisoned item by halving the batch, and reports it', async () => {
    const culprits: number[] = [];
    const { batches, writer } = recording({ maxBatch: 256, onCulprit: (input) => culprits.push(input) }, 100);
    const results = await Promise.allSettled(Array.from({ length: 256 }, (_, index) => writer.submit(index)));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(results[100]?.status).toBe('rejected');
    expect(culprits).toEqual([100]);
    expect(batches.length).toBeLessThanOrEqual(18);
  });

  it.each<[string, object, number]>([
    ['a refused value is not tried again', { code: '22021' }, 1],
    ['an unknown error is tried again', {}, 2],
    ['a lost connection is tried again', { code: '57P01' }, 2],
    ['a refused connection is tried again', { code: 'ECONNREFUSED' }, 2],
  ])('with a single item: %s', async (_, details, tries) => {
    let tried = 0;
    const writer = new GroupCommit<number, number>(() => {
      tried++;
      return Promise.reject(Object.assign(new Error('no'), details));
    }, options);
    await expect(writer.submit(1)).rejects.toMatchObject(details);
    expect(tried).toBe(tries);
  });

  it('writes the whole batch once more when the database failed, and does not split it', async () => {
    const batches: number[] = [];
    const writer = new GroupCommit<number, number>((inputs) => {
      batches.push(inputs.length);
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    }, options);
    await Promise.allSettled([1, 2, 3].map((input) => writer.submit(input)));
    expect(batches).toEqual([3, 3]);
  });

  it('recognises each item of a batch that was committed but whose response was lost', async () => {
    const written = new Set<number>();
    const writer = new GroupCommit<number, string>(async (inputs) => {
      if (inputs.some((input) => written.has(input))) {
        if (inputs.length === 1) return [{ value: 'written before' }];
        throw Object.assign(new Error('duplicate key'), { code: '23505' });
      }
      inputs.forEach((input) => written.add(input));
      throw new Error('Connection terminated unexpectedly');
    }, options);
    expect(await Promise.all([1, 2, 3].map((input) => writer.submit(input)))).toEqual(Array(3).fill('written before'));
  });

  it('does not try again while the database is known to hang', async () => {
    const silent = new DomainError('unavailable', 'service_unavailable', 'Please try again.');
    let tries = 0;
    const writer = new GroupCommit<number, number>(() => {
      tries++;
      return Promise.reject(silent);
    }, options);
    const results = await Promise.allSettled([1, 2, 3].map((input) => writer.submit(input)));
    expect(results).toEqual(results.map(() => ({ status: 'rejected', reason: silent })));
    expect(tries).toBe(1);
  });

  it('rejects an item with its own error, and resolves the others', async () => {
    const refusal = new Error('refused');
    const writer = new GroupCommit<number, number>(
      async (inputs) => inputs.map((input) => (input === 2 ? { error: refusal } : { value: input })),
      options,
    );
    const results = await Promise.allSettled([1, 2].map((input) => writer.submit(input)));
    expect(results).toMatchObject([{ value: 1 }, { reason: refusal }]);
  });

  it('does not let the items of one owner wait for failing items of another', async () => {
    const writing: number[][] = [];
    const writer = new GroupCommit<number, number>(
      async (inputs) => {
        writing.push([...inputs]);
        if (inputs.length > 1) throw blocked();
        return inputs[0] === 1 ? new Promise(() => undefined) : inputs.map((value) => ({ value }));
      },
      { ...options, ownerOf: (input) => (input < 3 ? 'blocked' : 'good') },
    );
    const [, , good] = [1, 2, 3].map((input) => writer.submit(input));
    expect(await good).toBe(3);
    expect(writing).toEqual([[1, 2, 3], [1], [3]]);
  });

  it('writes the items of a blocked batch one by one only for a limited time', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const writing: number[][] = [];
    const writer = new GroupCommit<number, number>(async (inputs) => {
      writing.push([...inputs]);
      jest.advanceTimersByTime(2_000);
      throw blocked();
    }, options);
    const results = await Promise.allSettled([1, 2, 3, 4].map((input) => writer.submit(input)));
    jest.useRealTimers();
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    expect(writing).toEqual([[1, 2, 3, 4], [1], [2]]);
  });

  it('refuses an item that has waited too long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { batches, writer } = recording({ patienceMs: 5_000 });
    const late = writer.submit(1);
    jest.advanceTimersByTime(5_001);
    await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
    jest.useRealTimers();
    expect(batches).toEqual([]);
    expect(await writer.submit(2)).toBe(4);
  });

  it('is drained only when all submitted items have been written', async () => {
    const { batches, writer } = recording({ maxBatch: 1 });
    void writer.submit(1);
    void writer.submit(2);
    await writer.drain();
    expect(batches).toEqual([[1], [2]]);
  });
});
