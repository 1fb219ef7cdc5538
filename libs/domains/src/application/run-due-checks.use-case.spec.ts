import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { CheckDomain } from './check-domain.use-case.js';
import { RunDueChecks } from './run-due-checks.use-case.js';
import { VerifyDomain } from './verify-domain.use-case.js';

let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

async function createDue(name: string): Promise<string> {
  const { id } = await rig.create({ name });
  await rig.publish(id);
  await new VerifyDomain(rig.change, rig.records, rig.clock).execute(rig.teamId, id);
  return id;
}

it('checks what is due, a few at a time, and nothing twice', async () => {
  for (let n = 0; n < 10; n++) await createDue(`acme${n}.test`);
  await rig.create({ name: 'not-due.test' });
  const runDueChecks = new RunDueChecks(rig.domains, rig.checkDomain, rig.clock);
  const first = await runDueChecks.execute();
  const second = await runDueChecks.execute();
  expect([first.taken + second.taken, (await runDueChecks.execute()).taken]).toEqual([10, 0]);
  const checked = [...first.checked, ...second.checked].map(({ before, domain }) => [before.status, domain.status]);
  expect(checked).toEqual(Array(10).fill(['pending', 'verified']));
});

it('a check that fails holds up no other, and is due again after a while', async () => {
  const broken = await createDue('broken.test');
  const fine = await createDue('fine.test');
  const failing = {
    execute: (id: string) => (id === broken ? Promise.reject(new Error('broken')) : rig.checkDomain.execute(id)),
  } as CheckDomain;
  const runDueChecks = new RunDueChecks(rig.domains, failing, rig.clock);
  const { checked, failures } = await runDueChecks.execute();
  expect(checked.map(({ domain }) => domain.id)).toEqual([fine]);
  expect(failures).toEqual([{ domainId: broken, error: new Error('broken') }]);
  expect((await runDueChecks.execute()).taken).toBe(0);
  rig.clock.advance(5 * 60_000);
  expect((await runDueChecks.execute()).failures).toHaveLength(1);
});
