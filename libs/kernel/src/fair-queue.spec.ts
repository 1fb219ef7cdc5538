import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { BulkTurns, FairQueue } from './fair-queue.js';

function drained<Item>(queue: FairQueue<Item>): Item[] {
  const items: Item[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

describe('a fair queue', () => {
  it('serves owners in turns, and the items of each owner in order', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.charAt(0), item);
    expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.length).toBe(0);
  });

  it('serves a new owner next, although another owner has thousands of items waiting', () => {
    const queue = new FairQueue<string>();
    for (let n = 0; n < 10_000; n++) queue.push('busy', `busy ${n}`);
    queue.shift();
    queue.push('new', 'new');
    expect([queue.shift(), queue.shift()]).toContain('new');
  });

  it('shares by cost and not by number of items', () => {
    const queue = new FairQueue<string>(10);
    for (let n = 0; n < 4; n++) queue.push('large', 'L', 20);
    for (let n = 0; n < 16; n++) queue.push('small', 's', 5);
    expect(drained(queue).join('')).toBe('ssLssssLssssLssssLss');
  });

  it('puts an item back in front of the other items of its owner', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('a', 'a2');
    queue.unshift('a', queue.shift() ?? '');
    expect(drained(queue)).toEqual(['a1', 'a2']);
  });

  it('skips owners that may not be served', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('b', 'b1');
    expect(queue.shift((owner) => owner === 'b')).toBe('b1');
    expect(queue.shift((owner) => owner === 'b')).toBeUndefined();
    expect([queue.lengthOf('a'), queue.lengthOf('b')]).toEqual([1, 0]);
  });

  it('loses no item, keeps the order of each owner, and gives waiting owners equal shares of the cost', () => {
    const quantum = 8;
    const maxCost = 40;
    const given = fc.array(
      fc.record({ owner: fc.integer({ min: 0, max: 5 }), cost: fc.integer({ min: 1, max: maxCost }) }),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(given, (items) => {
        const queue = new FairQueue<{ owner: number; cost: number; at: number }>(quantum);
        items.forEach(({ owner, cost }, at) => queue.push(String(owner), { owner, cost, at }, cost));
        const served = new Map<number, number>();
        const taken: number[][] = Array.from({ length: 6 }, () => []);
        while (queue.length > 0) {
          const item = queue.shift() as { owner: number; cost: number; at: number };
          served.set(item.owner, (served.get(item.owner) ?? 0) + item.cost);
          taken[item.owner]?.push(item.at);
          const waiting = [0, 1, 2, 3, 4, 5].filter((owner) => queue.lengthOf(String(owner)) > 0);
          const shares = waiting.map((owner) => served.get(owner) ?? 0);
          // The bound from the paper: the shares of two owners that always wait differ by at most this.
          expect(Math.max(0, ...shares) - Math.min(Infinity, ...shares)).toBeLessThanOrEqual(quantum + 2 * maxCost);
        }
        expect(taken.flat()).toHaveLength(items.length);
        for (const order of taken) expect(order).toEqual([...order].sort((one, other) => one - other));
      }),
    );
  });
});

function turns(count: number, transactionalWaits: boolean, bulkWaits: boolean, of = new BulkTurns()): string {
  return Array.from({ length: count }, () => (of.isBulks(transactionalWaits, bulkWaits) ? 'b' : 't')).join('');
}

it('bulk mail gets one turn in eight while both wait, however long that lasts', () => {
  expect(turns(24, true, true)).toBe('tttttttb'.repeat(3));
});

it('a kind that waits alone gets every turn', () => {
  expect(turns(10, true, false)).toBe('t'.repeat(10));
  expect(turns(10, false, true)).toBe('b'.repeat(10));
});

it('transactional mail that comes to waiting bulk mail has the next turn', () => {
  const of = new BulkTurns();
  turns(7, true, true, of);
  turns(1, false, true, of);
  expect(turns(1, true, true, of)).toBe('t');
});
