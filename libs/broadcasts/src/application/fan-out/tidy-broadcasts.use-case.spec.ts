import { expect, it } from '@jest/globals';
import { InMemoryFanOut } from '../../../../../test/support/in-memory-fan-out.js';
import { TidyBroadcasts } from './tidy-broadcasts.use-case.js';

it('removes the audience of a broadcast that is over, and keeps that of others', async () => {
  const rig = new InMemoryFanOut();
  const tidy = new TidyBroadcasts(rig.runs);
  const { work, run } = rig.start({ segmentId: rig.segment(3).id });
  await rig.fixAudience.execute(work);
  expect(await tidy.step()).toBe(false);
  await rig.drain();
  expect(await tidy.step()).toBe(true);
  expect(run.waves.flatMap(({ contacts }) => contacts)).toEqual([]);
  expect(await tidy.step()).toBe(false);
  tidy.stop();
  expect(await tidy.step()).toBe(false);
});
