import { expect, it } from '@jest/globals';
import { firstIdAt, isUuid, newId, timeOfId } from './ids.js';

it('ids are UUIDv7, distinct, and ascend in the order in which they are made', () => {
  const ids = Array.from({ length: 20_000 }, () => newId());
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids.slice(0, 1_000))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('an id contains its time, and lies between the first ids before and after it', () => {
  const later = new Date(Date.now() + 60_000);
  const id = newId(later.getTime());
  expect(Math.abs(timeOfId(id).getTime() - later.getTime())).toBeLessThan(50);
  expect(firstIdAt(new Date(later.getTime() - 50)) < id).toBe(true);
  expect(firstIdAt(new Date(later.getTime() + 50)) > id).toBe(true);
});

it('ids still ascend when the clock is set back by a little, and follow it when it was far ahead', () => {
  const now = Date.now();
  const [ahead, back] = [newId(now + 130_000), newId(now + 125_000)];
  expect(back > ahead).toBe(true);
  expect(timeOfId(newId(now)).getTime()).toBe(now);
});

it.each(['', 'x', '0193b0a0-0000-7000-8000-00000000000', "0193b0a0-0000-7000-8000-000000000000'"])(
  '%s is no UUID',
  (text) => {
    expect(isUuid(text)).toBe(false);
  },
);
