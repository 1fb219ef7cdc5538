import { describe, expect, it } from '@jest/globals';
import { RateDecision, RateLimiter } from '#rate-limit';
import { newId } from '#kernel';

export interface RateLimiterSetup {
  /** A limiter of its own for another process, where the state is shared between processes. */
  make(limit: number): RateLimiter;
  /** Resolves at the beginning of a window that has most of its time left. */
  freshWindow(): Promise<void>;
  /** What comes of this within one window: begun anew in another where the machine was too slow for it. */
  inOneWindow<T>(act: () => Promise<T>): Promise<T>;
}

/** What every `RateLimiter` must do. */
export function rateLimiterContract(name: string, setup: () => RateLimiterSetup): void {
  const takeAll = (limiter: RateLimiter, teamId: string, count: number): Promise<RateDecision[]> =>
    Promise.all(Array.from({ length: count }, () => limiter.take(teamId)));

  describe(`the ${name} rate limiter`, () => {
    it.each([1, 2, 10, 100])('allows %i requests of a team in a window and refuses the next', async (limit) => {
      const limiter = setup().make(limit);
      const teamId = newId();

      const decisions = await setup().inOneWindow(() => takeAll(limiter, teamId, limit + 5));

      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(limit);
      expect(decisions.slice(limit).every(({ allowed }) => !allowed)).toBe(true);
      expect(decisions.every((decision) => decision.limit === limit && decision.resetSeconds === 1)).toBe(true);
      expect(decisions[limit - 1]?.remaining).toBe(0);
    });

    it('begins anew with the next window', async () => {
      const limiter = setup().make(3);
      const teamId = newId();
      await setup().freshWindow();
      await takeAll(limiter, teamId, 10);
      await setup().freshWindow();

      expect((await limiter.take(teamId)).allowed).toBe(true);
    });

    it('counts every team for itself', async () => {
      const limiter = setup().make(2);
      const decisions = await setup().inOneWindow(() =>
        Promise.all([takeAll(limiter, newId(), 3), takeAll(limiter, newId(), 3)]),
      );

      for (const team of decisions) expect(team.filter(({ allowed }) => allowed)).toHaveLength(2);
    });
  });
}
