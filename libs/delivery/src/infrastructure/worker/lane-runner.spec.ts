import { expect, it } from '@jest/globals';
import { WakeUps } from '#kernel';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { DrainLane, DrainResult, LaneNotAcquiredError } from '../../application/drain-lane.use-case.js';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { laneElsewhere } from '../../application/ports/lanes.port.js';
import { ServedRegions } from '../../domain/lane-name.js';
import { LaneRunnerLimits, LaneRunner } from './lane-runner.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lanes that start at once and run until the test ends them. */
class WaitingLanes {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  async drain(lane: string, _worker: string, _wakeUps: WakeUps, onStarted: () => void): Promise<DrainResult> {
    const ended = new Promise<void>((resolve) => this.ends.set(lane, resolve));
    this.started.push(lane);
    await settled();
    onStarted();
    await ended;
    return 'drained';
  }

  end(lane: string): void {
    this.ends.get(lane)?.();
  }
}

function runner<Lanes extends object = WaitingLanes>(
  limits: Partial<LaneRunnerLimits> = {},
  lanes: Lanes = new WaitingLanes() as unknown as Lanes,
  queue: Partial<DeliveryQueue> = {},
  region?: string,
): { lanes: Lanes; runner: LaneRunner; hear: (topic: string, payload: string) => void } {
  class Limited extends LaneRunner {
    protected override readonly limits = {
      maxStarting: 2,
      maxRunning: 1_000,
      minRunningPerTeam: 3,
      maxWaitingPerTeam: 50_000,
      ...limits,
    };
  }
  const heard = new Map<string, (payload: string) => void>();
  const broadcast = {
    on: (topic: string, listener: (payload: string) => void) => heard.set(topic, listener),
  } as unknown as ProcessNotifications;
  const made = new Limited(
    lanes as unknown as DrainLane,
    queue as DeliveryQueue,
    { id: 'worker' },
    { wake: () => undefined, wakeHere: () => undefined },
    broadcast,
    Logger.create('fatal'),
    new ServedRegions(region, ['us', 'eu']),
  );
  made.onModuleInit();
  return { lanes, runner: made, hear: (topic, payload) => heard.get(topic)?.(payload) };
}

/** Number of turns of the event loop until the lane has started. */
async function turnsUntil(lanes: WaitingLanes, lane: string): Promise<number> {
  for (let turns = 0; turns < 10_000; turns++) {
    if (lanes.started.includes(lane)) return turns;
    await settled();
  }
  return Infinity;
}

it('a lane is started in its team’s turn, even if ten thousand lanes of another team were woken first', async () => {
  const { lanes, runner: lanesOf } = runner({ maxRunning: 20_000 });
  for (let n = 0; n < 10_000; n++) lanesOf.wake(`silent${n}`, 'attacker');
  lanesOf.wake('good', 'good');
  expect(await turnsUntil(lanes, 'good')).toBeLessThanOrEqual(2);
});

it('a lane is started even if the maximum number of lanes waits for silent hosts', async () => {
  const { lanes, runner: lanesOf } = runner();
  for (let n = 0; n < 5_000; n++) lanesOf.wake(`silent${n}`, 'attacker');
  await turnsUntil(lanes, 'silent999');
  for (let n = 0; n < 5; n++) lanesOf.wake(`good${n}`, 'good');
  await turnsUntil(lanes, 'good2');
  await settled();
  expect(lanes.started).toHaveLength(1_003);
});

it('lanes beyond the maximum start in order as others end, and none waits forever', async () => {
  const { lanes, runner: lanesOf } = runner({ maxRunning: 10 });
  const names = Array.from({ length: 2_000 }, (_, n) => `zz${2_000 - n}`);
  for (const name of names) lanesOf.wake(name, 'team');
  for (let at = 0; at < names.length; at++) {
    await turnsUntil(lanes, names[at] as string);
    lanes.end(lanes.started[at] as string);
  }
  expect(lanes.started).toEqual(names);
});

it('the waiting lanes of a team are bounded, and the sweep finds the others', async () => {
  const { lanes, runner: lanesOf } = runner({ maxStarting: 0, maxWaitingPerTeam: 10 });
  for (let n = 0; n < 100; n++) lanesOf.wake(`lane${n}`, 'team');
  expect(lanes.started).toEqual([]);
  expect((lanesOf as unknown as { isWaiting: Set<string> }).isWaiting.size).toBe(10);
});

it('a lane requested by several teams is started in the earliest turn of these teams', async () => {
  const { lanes, runner: lanesOf } = runner({ maxRunning: 20_000 });
  for (let n = 0; n < 5_000; n++) lanesOf.wake(`silent${n}`, 'attacker');
  lanesOf.wake('shared', 'attacker');
  lanesOf.wake('shared', 'good');
  lanesOf.wake('shared', 'good');
  expect(await turnsUntil(lanes, 'shared')).toBeLessThanOrEqual(2);
  // The attacker's turn for this lane comes as well, and does not start it again.
  await turnsUntil(lanes, 'silent4999');
  await settled();
  expect(lanes.started.filter((lane) => lane === 'shared')).toHaveLength(1);
});

/** Lanes whose drain fails with the error given for their name. */
class FailingLanes {
  constructor(private readonly errors: Record<string, Error>) {}

  async drain(lane: string): Promise<DrainResult> {
    throw this.errors[lane] ?? new Error('failed');
  }
}

it('a lane that cannot be released is tried again and does not block the others', async () => {
  const isStuck = new Set(['bad']);
  const givenUp: string[] = [];
  const giveUp = async (lane: string): Promise<void> => {
    if (isStuck.has(lane)) throw new Error('poisoned');
    givenUp.push(lane);
  };
  const trouble = Object.assign(new Error('away'), { code: '57P01' });
  const { runner: lanesOf } = runner({ maxStarting: 10 }, new FailingLanes({ away: trouble }), {
    abandonLane: giveUp,
    returnLane: (lane) => giveUp(`${lane} untried`),
  });
  for (const lane of ['bad', 'away', 'good']) lanesOf.wake(lane, 'team');
  await settled();

  await expect(lanesOf.abandonFailed()).rejects.toThrow('poisoned');
  expect(givenUp.sort()).toEqual(['away untried', 'good']);
  isStuck.clear();
  await lanesOf.abandonFailed();
  await lanesOf.abandonFailed();
  expect(givenUp.sort()).toEqual(['away untried', 'bad', 'good']);
});

it('a lane that was never acquired is not released', async () => {
  const giveUp = (): Promise<void> => Promise.reject(new Error('there is nothing to give up'));
  const failed = new FailingLanes({ lane: new LaneNotAcquiredError('lane', new Error('away')) });
  const { runner: lanesOf } = runner({}, failed, { abandonLane: giveUp, returnLane: giveUp });
  lanesOf.wake('lane', 'team');
  await settled();
  await lanesOf.abandonFailed();
});

it('lanes of another region are left to its workers, who are told by a notification', async () => {
  const { lanes, runner: lanesOf, hear } = runner({}, new WaitingLanes(), {}, 'eu');
  expect(lanesOf.wake('us/default/mx:a.test', 'team')).toBe(false);
  hear(laneElsewhere, JSON.stringify({ lane: 'us/default/mx:b.test', teamId: 'team' }));
  hear(laneElsewhere, JSON.stringify({ lane: 'eu/default/mx:c.test', teamId: 'team' }));
  // Where notifications may have been missed, each listener gets an empty one.
  hear(laneElsewhere, '');
  await settled();
  expect(lanes.started).toEqual(['eu/default/mx:c.test']);
});
