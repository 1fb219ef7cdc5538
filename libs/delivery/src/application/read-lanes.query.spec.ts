import { expect, it } from '@jest/globals';
import type { QueueOverview } from '../domain/lane-overview.js';
import type { LaneDesk } from './ports/lane-desk.port.js';
import { ReadLanes } from './read-lanes.query.js';

it('all who look within a second share one reading, and a failure is not kept', async () => {
  const overview = { longest: [] } as unknown as QueueOverview;
  let reads = 0;
  let fails = true;
  const desk = {
    overview: async () => {
      reads++;
      if (fails) throw new Error('away');
      return overview;
    },
  } as unknown as LaneDesk;
  const query = new ReadLanes(desk);
  await expect(query.execute()).rejects.toThrow('away');
  fails = false;
  expect(await Promise.all([query.execute(), query.execute(), query.execute()])).toEqual([
    overview,
    overview,
    overview,
  ]);
  expect(reads).toBe(2);
});
