import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import type { QueueOverview } from '../domain/lane-overview.js';
import { OperateLanes } from './operate-lanes.use-case.js';
import { RegionPresence } from '../domain/stand-ins.js';
import { LaneDesk, RegionDesk } from './ports/lanes.port.js';
import { ServedRegions } from '../domain/lane-name.js';

const lane = 'eu-west-1/default/mx:gmail.com';
const operator = Principal.ofUser({ id: 'user', teamId: 'team', role: 'viewer', isOperator: true });
const owner = Principal.ofUser({ id: 'user', teamId: 'team', role: 'owner' });

class FakeDesk extends LaneDesk {
  readonly held = new Map<string, string | undefined>();

  overview(): Promise<Omit<QueueOverview, 'regions'>> {
    return Promise.resolve({ longest: [], workers: [] } as unknown as QueueOverview);
  }

  async hold(name: string, _actor: unknown, note: string | undefined): Promise<boolean> {
    if (this.held.has(name)) return false;
    this.held.set(name, note);
    return true;
  }

  async release(name: string): Promise<boolean> {
    return this.held.delete(name);
  }

  async teamIn(): Promise<string | undefined> {
    return 'team';
  }
}

/** Which regions have workers, and whether one sends for all. */
const seen = { presences: [] as RegionPresence[], areServed: false };
const regions = { presences: async () => seen } as unknown as RegionDesk;
const served = new ServedRegions(undefined, ['us-east-1', 'eu-west-1'], 60_000);

let desk: FakeDesk;
let woken: string[];
let lanes: OperateLanes;

beforeEach(() => {
  desk = new FakeDesk();
  woken = [];
  Object.assign(seen, { presences: [], areServed: false });
  const signal = { wake: (name: string) => void woken.push(name), wakeHere: () => undefined };
  lanes = new OperateLanes(desk, signal, regions, served);
});

it('the operator pauses a lane with a note, and resumes it, which wakes it', async () => {
  await lanes.pause(operator, lane, 'asked for less');
  expect([...desk.held]).toEqual([[lane, 'asked for less']]);
  await lanes.resume(operator, lane);
  expect([desk.held.size, woken]).toEqual([0, [lane]]);
});

it('pausing or resuming twice is refused', async () => {
  await expect(lanes.resume(operator, lane)).rejects.toThrow('not paused');
  await lanes.pause(operator, lane);
  await expect(lanes.pause(operator, lane)).rejects.toThrow('paused already');
});

it('nobody else may, not even the owner of a team', async () => {
  await expect(lanes.pause(owner, lane)).rejects.toThrow();
  await expect(lanes.resume(owner, lane)).rejects.toThrow();
  expect(desk.held.size).toBe(0);
});

it.each(['gmail.com', '', 'a/b/', `a/b/${'c'.repeat(300)}`, 'a b/c/d'])(
  '%j is not the name of a lane',
  async (name) => {
    await expect(lanes.pause(operator, name)).rejects.toThrow('`lane`');
  },
);

it('a long note is refused', async () => {
  await expect(lanes.pause(operator, lane, 'x'.repeat(201))).rejects.toThrow('`note`');
});

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
  const signal = { wake: () => undefined, wakeHere: () => undefined };
  const shown = new OperateLanes(desk, signal, regions, served);
  await expect(shown.overview()).rejects.toThrow('away');
  fails = false;
  expect(await Promise.all([shown.overview(), shown.overview(), shown.overview()])).toEqual([
    { ...overview, regions: [] },
    { ...overview, regions: [] },
    { ...overview, regions: [] },
  ]);
  expect(reads).toBe(2);
});

it('regions are shown where workers have some, with the one that stands in for another', async () => {
  const us = { name: 'us-east-1', silentMs: 1_000, steadyMs: 600_000, workers: 2 };
  seen.presences = [us];
  expect((await lanes.overview()).regions).toEqual([
    { name: 'us-east-1', workers: 2, silentMs: 1_000, isServedByAll: false, standIn: undefined },
    { name: 'eu-west-1', workers: 0, silentMs: undefined, isServedByAll: false, standIn: 'us-east-1' },
  ]);
});

it('no region is shown where all workers send for all', async () => {
  seen.presences = [{ name: 'us-east-1', silentMs: 600_000, steadyMs: 600_000, workers: 0 }];
  seen.areServed = true;
  expect((await lanes.overview()).regions).toEqual([]);
});
