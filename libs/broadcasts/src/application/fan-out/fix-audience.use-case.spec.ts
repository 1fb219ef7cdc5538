import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryFanOut } from '../../../../../test/support/in-memory-fan-out.js';

let rig: InMemoryFanOut;
beforeEach(() => {
  rig = new InMemoryFanOut();
});

it('writes the members down once', async () => {
  const { work, run } = rig.start({ segmentId: rig.segment(5).id });
  expect(await rig.fixAudience.execute(work)).toBe(true);
  expect(run.waves.flatMap(({ contacts }) => contacts)).toHaveLength(5);
  expect(await rig.fixAudience.execute(work)).toBe(false);
});

it('pauses where the segment is gone, and does nothing for a broadcast that is', async () => {
  const { work, run } = rig.start({ segmentId: newId() });
  expect(await rig.fixAudience.execute(work)).toBe(true);
  expect(run).toMatchObject({ status: 'paused', because: 'segment_deleted', isPlanned: false });
  expect(await rig.fixAudience.execute({ ...work, broadcastId: newId() })).toBe(false);
});

it('divides an audience by what the options say', async () => {
  const segmentId = rig.segment(10).id;
  const contactsOf = async (options: object): Promise<readonly number[]> => {
    const { work, run } = rig.start({ segmentId, options, scheduledAt: rig.clock.now() });
    await rig.fixAudience.execute(work);
    const counts = new Map<number, number>();
    for (const { wave, contacts } of run.waves) counts.set(wave, (counts.get(wave) ?? 0) + contacts.length);
    return [...counts.values()];
  };
  const limits = { waitMinutes: null, maxBouncePercent: 5, maxComplaintPercent: 1 };
  expect(await contactsOf({ firstShare: { ...limits, percent: 25 } })).toEqual([3, 7]);
  expect(await contactsOf({ firstShare: { ...limits, contacts: 4 } })).toEqual([4, 6]);
  expect(await contactsOf({ test: { subjects: ['B'], sharePercent: 20, waitMinutes: 5, winner: 'opens' } })).toEqual([
    2, 8,
  ]);
  expect(await contactsOf({ localTime: { property: 'zone', timeZone: 'UTC' } })).toEqual([10]);
});
