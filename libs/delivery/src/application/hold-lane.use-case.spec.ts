import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import type { QueueOverview } from '../domain/lane-overview.js';
import { HoldLane } from './hold-lane.use-case.js';
import { LaneDesk } from './ports/lane-desk.port.js';

const lane = 'eu-west-1/default/mx:gmail.com';
const operator = Principal.ofUser({ id: 'user', teamId: 'team', role: 'viewer', isOperator: true });
const owner = Principal.ofUser({ id: 'user', teamId: 'team', role: 'owner' });

class FakeDesk extends LaneDesk {
  readonly held = new Map<string, string | undefined>();

  overview(): Promise<QueueOverview> {
    throw new Error('not used');
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

let desk: FakeDesk;
let woken: string[];
let holdLane: HoldLane;

beforeEach(() => {
  desk = new FakeDesk();
  woken = [];
  holdLane = new HoldLane(desk, { wake: (name) => void woken.push(name) });
});

it('the operator pauses a lane with a note, and resumes it, which wakes it', async () => {
  await holdLane.hold(operator, lane, 'asked for less');
  expect([...desk.held]).toEqual([[lane, 'asked for less']]);
  await holdLane.release(operator, lane);
  expect([desk.held.size, woken]).toEqual([0, [lane]]);
});

it('pausing or resuming twice is refused', async () => {
  await expect(holdLane.release(operator, lane)).rejects.toThrow('not paused');
  await holdLane.hold(operator, lane);
  await expect(holdLane.hold(operator, lane)).rejects.toThrow('paused already');
});

it('nobody else may, not even the owner of a team', async () => {
  await expect(holdLane.hold(owner, lane)).rejects.toThrow();
  await expect(holdLane.release(owner, lane)).rejects.toThrow();
  expect(desk.held.size).toBe(0);
});

it.each(['gmail.com', '', 'a/b/', `a/b/${'c'.repeat(300)}`, 'a b/c/d'])(
  '%j is not the name of a lane',
  async (name) => {
    await expect(holdLane.hold(operator, name)).rejects.toThrow('`lane`');
  },
);

it('a long note is refused', async () => {
  await expect(holdLane.hold(operator, lane, 'x'.repeat(201))).rejects.toThrow('`note`');
});
