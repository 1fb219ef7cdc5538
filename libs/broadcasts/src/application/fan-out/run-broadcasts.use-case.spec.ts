import { beforeEach, expect, it } from '@jest/globals';
import { DomainError, newId } from '#kernel';
import { InMemoryFanOut } from '../../../../../test/support/in-memory-fan-out.js';
import { sendingDomain } from '../../../../../test/support/in-memory-sending.js';
import { sliceSize, sliceSizeBesideOthers } from './run-broadcasts.use-case.js';

let rig: InMemoryFanOut;
beforeEach(() => {
  rig = new InMemoryFanOut();
});

class Refusal extends DomainError {}
const quotaExceeded = new Refusal('limited', 'daily_quota_exceeded', 'Used up.');

/** Refuses slices that have more emails than remain of a quota. */
function limit(quota: { left: number }): void {
  const { acceptance } = rig.sending;
  const write = acceptance.write.bind(acceptance);
  acceptance.write = async (emails, ...others) => {
    if (emails.length > quota.left) throw quotaExceeded;
    quota.left -= emails.length;
    return write(emails, ...others);
  };
}

it('works on a broadcast until everybody has it', async () => {
  const { id: segmentId } = rig.segment(2 * sliceSize + 3);
  const { run } = rig.start({ segmentId });
  await rig.drain();
  expect(run.status).toBe('sent');
  expect(new Set(rig.addressees).size).toBe(2 * sliceSize + 3);
});

it('an empty audience ends at once', async () => {
  const { run } = rig.start({ segmentId: rig.segment(0).id });
  await rig.drain();
  expect(run.status).toBe('sent');
});

it('uses up what remains of a quota, pauses until the next day, and then goes on', async () => {
  const { run } = rig.start({ segmentId: rig.segment(10).id });
  const quota = { left: 7 };
  limit(quota);
  await rig.drain();
  expect(rig.addressees).toHaveLength(7);
  expect(run).toMatchObject({ status: 'paused', because: 'daily_quota_exceeded' });
  expect(run.retryAt?.toISOString()).toMatch(/T00:00:00\.000Z$/);
  expect(await rig.run.resumeHeld()).toBe(0);
  quota.left = 3;
  rig.clock.advance(25 * 3_600_000);
  expect(await rig.run.resumeHeld()).toBe(1);
  await rig.drain();
  expect(new Set(rig.addressees).size).toBe(10);
});

it('pauses where the domain may not send any more', async () => {
  const { run } = rig.start({ segmentId: rig.segment(1).id, from: 'a@other.test' });
  rig.sending.domains.require = async () => {
    throw new Refusal('forbidden', 'validation_error', 'The domain is not verified.');
  };
  await rig.drain();
  expect(run).toMatchObject({ status: 'paused', because: 'domain_not_verified' });
  expect(rig.addressees).toEqual([]);
});

it('waits without a pause where there is no room for mail', async () => {
  const { run } = rig.start({ segmentId: rig.segment(1).id });
  rig.sending.room.isFull = true;
  await rig.drain();
  expect(run.status).toBe('queued');
  rig.sending.room.isFull = false;
  await rig.drain();
  expect(run.status).toBe('sent');
});

it('an unexpected error lets others go first, and pauses after the tenth', async () => {
  const { run } = rig.start({ segmentId: rig.segment(1).id });
  await rig.run.step();
  rig.audience.contacts = async () => {
    throw new Error('a fault of ours');
  };
  for (let no = 0; no < 10; no++) {
    await expect(rig.run.step()).rejects.toThrow('a fault of ours');
    rig.clock.advance(6_000);
  }
  expect(run).toMatchObject({ status: 'paused', because: 'unexpected_fault' });
});

it('teams take turns', async () => {
  const first = rig.start({ segmentId: rig.segment(3 * sliceSize).id });
  const other = newId();
  const { domains, teamId } = rig.sending;
  const own = await domains.require(teamId, sendingDomain);
  domains.require = async () => own;
  const second = rig.start({ segmentId: rig.segment(3 * sliceSize).id, teamId: other });
  for (let no = 0; no < 6; no++) await rig.run.step();
  expect(first.run.results.length).toBeGreaterThan(0);
  expect(second.run.results.length).toBeGreaterThan(0);
});

it('rests between slices while other mail is accepted, and not otherwise', () => {
  expect(rig.run.restMs(80)).toBe(0);
  rig.sending.acceptance.isInDemand = true;
  expect([rig.run.restMs(80), rig.run.restMs(60_000)]).toEqual([80, 200]);
});

it('sends smaller slices while other mail is accepted', async () => {
  const { run } = rig.start({ segmentId: rig.segment(sliceSize).id });
  rig.sending.acceptance.isInDemand = true;
  while (run.results.length === 0) await rig.run.step();
  expect(run.results).toHaveLength(sliceSizeBesideOthers);
});

it('does nothing once it is stopped', async () => {
  const { run } = rig.start({ segmentId: rig.segment(1).id });
  rig.run.stop();
  expect(await rig.run.step()).toBe(false);
  expect(run.isPlanned).toBe(false);
});
