import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstIdAt, isUuid, newId, PageRequest, timeOfId } from '#kernel';
import { IdRange, keysetCondition, nearestFirst } from './keyset.js';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 10, 1);
const idAt = (day: number): string => firstIdAt(new Date(start + day * dayMs)).replace('-0000-', '-7000-');

/** Selects rows like PostgreSQL with these clauses. */
function select(ids: readonly string[], page: PageRequest, range?: IdRange): string[] {
  const { condition, order, values } = keysetCondition(page, 1, range);
  const limits = [...condition.matchAll(/id (>=|<|>) (?:\$1|'([^']*)')/g)].map(([, operator, literal]) => ({
    operator,
    value: literal ?? (values[0] as string),
  }));
  const kept = ids.filter((id) =>
    limits.every(({ operator, value }) => {
      if (operator === '<') return id < value;
      return operator === '>' ? id > value : id >= value;
    }),
  );
  const sorted = kept.sort();
  return (order.includes('DESC') ? sorted.reverse() : sorted).slice(0, page.limit + 1);
}

describe('a page that is first searched near its cursor', () => {
  it('is the same as the page of the whole table, for items of any days', async () => {
    const days = fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { maxLength: 40 });
    const cursor = fc.option(fc.double({ min: -1, max: 31, noNaN: true }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        days,
        cursor,
        fc.boolean(),
        fc.integer({ min: 1, max: 8 }),
        async (at, from, backwards, limit) => {
          const ids = at.map(idAt);
          const id = from === undefined ? undefined : idAt(from);
          const page = { limit, ...(id === undefined ? {} : backwards ? { before: id } : { after: id }) };
          const read = (range?: IdRange) => Promise.resolve(select(ids, page, range));
          expect(await nearestFirst(page, read)).toEqual(select(ids, page));
        },
      ),
    );
  });

  it('is read with one statement where the day before the cursor fills it', async () => {
    const ids = Array.from({ length: 30 }, () => newId());
    const ranges: (IdRange | undefined)[] = [];
    const page = { limit: 10, after: ids[20] as string };
    const read = (range?: IdRange) => {
      ranges.push(range);
      return Promise.resolve(select(ids, page, range));
    };
    expect((await nearestFirst(page, read)).slice(0, 10)).toEqual(ids.slice(10, 20).reverse());
    const at = timeOfId(page.after).getTime();
    expect(ranges).toEqual([{ from: at - dayMs, to: at + 1 }]);
    const first = firstIdAt(new Date(at - dayMs));
    const end = firstIdAt(new Date(at + 1));
    expect(keysetCondition(page, 2, ranges[0])).toMatchObject({
      condition: `AND id < $2 AND id >= '${first}' AND id < '${end}'`,
      values: [page.after],
    });
  });

  it.each(['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'])(
    'has valid bounds for the lowest and the highest id: %s',
    async (cursor) => {
      for (const page of [
        { limit: 1, after: cursor },
        { limit: 1, before: cursor },
      ]) {
        const conditions: string[] = [];
        await nearestFirst(page, (range) => {
          conditions.push(keysetCondition(page, 1, range).condition);
          return Promise.resolve([]);
        });
        const bounds = [...(conditions[0] ?? '').matchAll(/'([^']*)'/g)].map(([, bound]) => bound ?? '');
        expect(bounds.map(isUuid)).toEqual([true, true]);
      }
    },
  );

  it('refuses a cursor that is not an id', () => {
    const page = { limit: 1, after: "x' OR true --" };
    expect(() => keysetCondition(page, 1)).toThrow('cursor');
  });
});
