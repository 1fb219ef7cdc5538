import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { lanesWithWorkStatement } from '../../libs/delivery/src/infrastructure/persistence/lane-statements.js';
import { PostgresDeliveryQueue } from '../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { LaneSweep } from '../../libs/delivery/src/infrastructure/worker/delivery-worker.js';
import { QueueRig } from '../support/programs/queue-rig.js';

let rig: QueueRig;
let database: Database;
let queue: PostgresDeliveryQueue;
let worker: string;
let woken: string[];
let sweep: LaneSweep;

beforeAll(async () => {
  rig = await QueueRig.create();
  ({ database, queue } = rig);
});

afterAll(() => rig.drop());

beforeEach(async () => {
  await rig.reset();
  ({ worker } = rig);
  woken = [];
  sweep = new LaneSweep(queue, worker, (lane) => woken.push(lane));
});

/** Enqueues one recipient in each of `count` lanes, due in `inSeconds` seconds. */
function enqueue(count: number, name: string, inSeconds: number): Promise<void> {
  return rig.enqueueMany(count, {
    lane: `'mx:${name}' || lpad(no::text, 6, '0') || '.test'`,
    due_at: `now() + ${inSeconds} * interval '1 second'`,
  });
}

/** Sweeps until the lane is woken. Returns the number of sweeps. */
async function sweepsUntil(lane: string): Promise<number> {
  for (let sweeps = 1; sweeps <= 1_000; sweeps++) {
    await sweep.run();
    if (woken.includes(lane)) return sweeps;
  }
  throw new Error(`${lane} is never found`);
}

it('looks at a limited number of lanes, and continues behind them the next time', async () => {
  await enqueue(2_500, 'due', -1);
  const first = await queue.lanesWithWork(worker, undefined, 1_000);
  const second = await queue.lanesWithWork(worker, first.lookedAt, 1_000);
  const third = await queue.lanesWithWork(worker, second.lookedAt, 1_000);
  expect([first, second, third].map(({ lanes }) => lanes.length)).toEqual([1_000, 1_000, 500]);
  expect(third.lookedAt).toBeUndefined();
  const names = [first, second, third].flatMap(({ lanes }) => lanes.map(({ name }) => name));
  expect(new Set(names).size).toBe(2_500);
});

it('leaves out a lane whose due recipients are all held, and finds it once another one is due', async () => {
  await enqueue(1, 'held', -5);
  await database.execute({ text: 'UPDATE outbound_queue SET worker_id = $1', values: [worker] });
  expect((await queue.lanesWithWork(worker, undefined, 10)).lanes).toEqual([]);
  await enqueue(1, 'held', -1);
  expect((await queue.lanesWithWork(worker, undefined, 10)).lanes).toMatchObject([{ name: 'mx:held000001.test' }]);
});

// On a busy machine 300 sweeps take minutes. That is why the test limits pages and sweeps, not time.
it('a sweep costs the same however many lanes wait, and every lane is found whatever its name', async () => {
  await enqueue(300_000, 'waiting', 3_600);
  await enqueue(1, 'zz-last', -1);

  const { text, values } = lanesWithWorkStatement(worker, 'mx:waiting2', 1_000);
  const inline = (values ?? []).reduce<string>(
    (whole, value, at) =>
      whole.replaceAll(`$${at + 1}`, typeof value === 'number' ? String(value) : `'${String(value)}'`),
    text,
  );
  const plan = await database.query<{ 'QUERY PLAN': string }>({
    text: `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF) ${inline}`,
  });
  const whole = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(whole).not.toContain('Seq Scan on outbound_queue');
  // A few pages for each lane that it looks at.
  expect(Number(/shared hit=(\d+)/.exec(whole)?.[1])).toBeLessThan(8 * 1_000);

  const startedAt = performance.now();
  const sweeps = await sweepsUntil('mx:zz-last000001.test');
  const perSweep = (performance.now() - startedAt) / sweeps;
  process.stdout.write(`300,000 lanes: ${sweeps} sweeps of ${perSweep.toFixed(1)} ms\n`);
  // Each sweep looks at 2,000 lanes at least.
  expect(sweeps).toBeLessThanOrEqual(151);
  // A lane whose name sorts before all others is found as well.
  await enqueue(1, '0-first', -1);
  expect(await sweepsUntil('mx:0-first000001.test')).toBeLessThanOrEqual(151);
}, 300_000);
