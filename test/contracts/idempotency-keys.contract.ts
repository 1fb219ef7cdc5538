import { beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyClaim, IdempotencyKeys } from '#idempotency';
import { newId, UnitOfWork } from '#kernel';

export interface KeysUnderTest {
  readonly keys: IdempotencyKeys;
  readonly unitOfWork: UnitOfWork;
}

const dayMs = 86_400_000;

/** What all `IdempotencyKeys` keep to. */
export function describeIdempotencyKeys(name: string, start: () => Promise<KeysUnderTest>): void {
  describe(`idempotency keys ${name}`, () => {
    let subject: KeysUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const now = new Date();
    const claimOf = (key: string, response: unknown = 'done', claimedAt = now): IdempotencyClaim => ({
      request: { teamId: newId(), endpoint: 'POST /x', key, fingerprint: Buffer.from(key) },
      response,
      claimedAt,
    });
    const claim = (...claims: IdempotencyClaim[]) =>
      subject.unitOfWork.run((transaction) => subject.keys.claim(claims, transaction));

    it('the first claim wins, a later one learns the response', async () => {
      const first = claimOf('first', { id: 1 });
      expect(await subject.keys.find(first.request, now)).toBeUndefined();
      expect(await claim(first)).toEqual([{ kind: 'claimed' }]);
      expect(await claim({ ...first, response: 'second' })).toMatchObject([{ kind: 'known', response: { id: 1 } }]);
      const known = await subject.keys.find(first.request, now);
      expect(known?.response).toEqual({ id: 1 });
      expect(Buffer.from(known?.fingerprint ?? []).toString()).toBe('first');
    });

    it('of two claims in one call the first wins, and the other is in progress', async () => {
      const one = claimOf('twice');
      expect(await claim(one, claimOf('other'), one)).toEqual([
        { kind: 'claimed' },
        { kind: 'claimed' },
        { kind: 'in progress' },
      ]);
    });

    it('a claim under way is in progress for others, who do not wait, and gone where it fails', async () => {
      const one = claimOf('under way');
      const failing = subject.unitOfWork.run(async (transaction) => {
        await subject.keys.claim([one], transaction);
        expect(await claim(one)).toEqual([{ kind: 'in progress' }]);
        throw new Error('later');
      });
      await expect(failing).rejects.toThrow('later');
      expect(await subject.keys.find(one.request, now)).toBeUndefined();
      expect(await claim(one)).toEqual([{ kind: 'claimed' }]);
    });

    it('a key is remembered for a day', async () => {
      const one = claimOf('a day', 1);
      await claim(one);
      const later = (ms: number) => new Date(now.getTime() + ms);
      expect(await subject.keys.find(one.request, later(dayMs - 1))).toBeDefined();
      expect(await subject.keys.find(one.request, later(dayMs))).toBeUndefined();
      expect(await claim({ ...one, response: 2, claimedAt: later(dayMs) })).toEqual([{ kind: 'claimed' }]);
      expect((await subject.keys.find(one.request, later(dayMs)))?.response).toBe(2);
    });

    it('expired keys are removed, no more than asked for at once', async () => {
      const old = new Date(now.getTime() - 2 * dayMs);
      await claim(claimOf('old', 1, old), claimOf('older', 1, old), claimOf('oldest', 1, old));
      expect(await subject.keys.removeExpired(now, 2)).toBe(2);
      expect(await subject.keys.removeExpired(now, 2)).toBe(1);
      expect(await subject.keys.removeExpired(now, 2)).toBe(0);
    });
  });
}
