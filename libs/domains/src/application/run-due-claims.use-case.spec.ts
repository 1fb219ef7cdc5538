import { expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { CheckClaim } from './check-claim.use-case.js';
import { RunDueClaims } from './run-due-claims.use-case.js';

it('looks at each claim that is due, and again after a while at one that failed', async () => {
  const rig = new InMemoryDomains();
  const [broken, fine, waiting] = [rig.aClaim(), rig.aClaim(), rig.aClaim()];
  for (const claim of [broken, fine, waiting]) await rig.claims.insert(claim);
  for (const { id } of [broken, fine]) await rig.claims.makeDue(id, rig.clock.now());
  const looks: string[] = [];
  const checkClaim = {
    execute: async (id: string) => {
      looks.push(id);
      if (id === broken.id) throw new Error('broken');
    },
  } as CheckClaim;
  const runDueClaims = new RunDueClaims(rig.claims, checkClaim, rig.clock);
  expect(await runDueClaims.execute()).toEqual({ taken: 2, failures: [new Error('broken')] });
  expect(looks.sort()).toEqual([broken.id, fine.id].sort());
  expect(await runDueClaims.execute()).toEqual({ taken: 0, failures: [] });
  rig.clock.advance(5 * 60_000);
  expect((await runDueClaims.execute()).taken).toBe(2);
});
