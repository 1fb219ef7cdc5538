import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryIdempotencyKeys } from '../../../../test/support/fakes/in-memory-idempotency-keys.js';
import { RemoveExpiredKeys } from './remove-expired-keys.use-case.js';

it('removes every key that is past its life, however many, and no other', async () => {
  const keys = new InMemoryIdempotencyKeys();
  const clock = new FakeClock();
  const claim = (count: number) =>
    new InMemoryUnitOfWork().run((transaction) => {
      const claimed = Array.from({ length: count }, (_, n) => {
        const request = { teamId: newId(), endpoint: 'POST /emails', key: `${n}`, fingerprint: Buffer.alloc(1) };
        return { request, response: n, claimedAt: clock.now() };
      });
      return keys.claim(claimed, transaction);
    });
  await claim(4_500);
  clock.advance(3_600_000);
  await claim(10);
  const removeExpiredKeys = new RemoveExpiredKeys(keys, clock);
  clock.advance(23 * 3_600_000 - 1);
  expect(await removeExpiredKeys.remove()).toBe(0);
  clock.advance(1);
  expect(await removeExpiredKeys.remove()).toBe(4_500);
  clock.advance(3_600_000);
  expect(await removeExpiredKeys.remove()).toBe(10);
});
