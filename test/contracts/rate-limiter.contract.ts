import { describe, expect, it } from '@jest/globals';
import { RateDecision, RateLimiter } from '#rate-limit';
import { newId } from '#kernel';

export interface RateLimiterSetup {
  /** A new limiter, as in another process. It shares the state that processes share. */
  make(limit: number): RateLimiter;
  /** Resolves early in a window, when most of its time is left. */
  freshWindow(): Promise<void>;
  /** Runs `act` within one window, and repeats it in another if the machine was too slow. */
  inOneWindow<T>(act: () => Promise<T>): Promise<T>;
}

/** The tests that every `RateLimiter` must pass. */
export function rateLimiterContract(name: string, setup: () => RateLimiterSetup): void {
  const takeAll = (limiter: RateLimiter, teamId: string, count: number): Promise<RateDecision[]> =>
    Promise.all(Array.from({ length: count }, async () => limiter.take(teamId)));

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

    it('allows requests again in the next window', async () => {
      const limiter = setup().make(3);
      const teamId = newId();
      await setup().freshWindow();
      await takeAll(limiter, teamId, 10);
      await setup().freshWindow();

      expect((await limiter.take(teamId)).allowed).toBe(true);
    });

    it('counts each team separately', async () => {
      const limiter = setup().make(2);
      const decisions = await setup().inOneWindow(() =>
        Promise.all([takeAll(limiter, newId(), 3), takeAll(limiter, newId(), 3)]),
      );

      for (const team of decisions) expect(team.filter(({ allowed }) => allowed)).toHaveLength(2);
    });
  });
}
