import { expect, it } from '@jest/globals';
import { GatheredLoads } from './contents-in-delivery.js';

it('a database that is away is asked once for all that was wanted together', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  let reads = 0;
  const loads = new GatheredLoads(async () => {
    reads++;
    throw away;
  });
  const ends = await Promise.allSettled(['a', 'b', 'c'].map((id) => loads.load(id, 1)));
  expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason: away })));
  expect(reads).toBe(1);
});

it('one item that cannot be read does not keep the others', async () => {
  const loads = new GatheredLoads(async (ids) => {
    if (ids.includes('b')) throw new Error('damaged');
    return new Map(ids.map((id) => [id, `item ${id}`]));
  });
  const ends = await Promise.allSettled(['a', 'b', 'c'].map((id) => loads.load(id, 1)));
  expect(ends).toMatchObject([{ value: 'item a' }, { reason: { message: 'damaged' } }, { value: 'item c' }]);
});
