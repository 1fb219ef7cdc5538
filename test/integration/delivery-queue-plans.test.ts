import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import {
  abandonStatement,
  isDueStatement,
  returnStatement,
} from '../../libs/delivery/src/infrastructure/persistence/lane-statements.js';
import {
  claimBulkStatement,
  claimInTurnsStatement,
  claimStatement,
} from '../../libs/delivery/src/infrastructure/persistence/claim-statements.js';
import { PostgresDeliveryQueue } from '../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { lane, QueueRig } from '../support/programs/queue-rig.js';

let rig: QueueRig;
let database: Database;
let queue: PostgresDeliveryQueue;
let worker: string;

beforeAll(async () => {
  rig = await QueueRig.create();
  ({ database, queue } = rig);
});

afterAll(() => rig.drop());

beforeEach(async () => {
  await rig.reset();
  ({ worker } = rig);
});

it('a claim reads no more rows than it takes, however many retries are due before new mail', async () => {
  await rig.enqueueMany(100_000, {
    due_at: `now() - no * interval '1 millisecond'`,
    queued_at: `now() - interval '1 day'`,
  });
  await rig.enqueue(1_000);
  await database.execute({ text: 'ANALYZE outbound_queue' });
  await queue.acquireLane(lane, worker);
  const whole = await rig.planOf(claimStatement(lane, worker, 64, 172_800_000), 'text, uuid, int, int');
  // The plan before this part is for paused lanes, and does not run for others.
  const lines = whole.slice(whole.indexOf('CTE retries'));
  expect(lines).toContain('Tid Scan on outbound_queue');
  expect(lines).toContain('Index Scan using outbound_queue_fresh');
  expect(lines).toContain('Index Scan using outbound_queue_retries');
  expect(lines).not.toContain('Seq Scan on outbound_queue');
  expect(lines).not.toContain('Rows Removed by Filter');
  const reads = [...lines.matchAll(/Index Scan using \S+ on outbound_queue.*?actual rows=(\d+)/g)].map(([, rows]) =>
    Number(rows),
  );
  expect(Math.max(...reads)).toBeLessThanOrEqual(64);
  expect((await rig.claim(64)).filter(({ attempt }) => attempt === 1)).toHaveLength(64);
});

it('a claim from a paused lane reads none of the mail that waits in it', async () => {
  await rig.enqueueMany(50_000, {});
  await queue.acquireLane(lane, worker);
  await queue.pause(lane, 'the host is down');
  for (const statement of [
    claimStatement(lane, worker, 64, 172_800_000),
    claimBulkStatement({ lane, workerId: worker, limit: 64 }, 172_800_000),
  ]) {
    const plan = await rig.planOf(statement, `text, uuid, int, int${statement.name === 'claim-bulk' ? ', uuid' : ''}`);
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/);
  }
});

it('lanes are abandoned and returned by an index, however many others wait', async () => {
  await rig.enqueueMany(50_000, { lane: `'mx' || no` });
  const lanes = Array.from({ length: 256 }, (_, n) => ({ lane: `mx${n * 100}`, workerId: worker }));
  for (const statement of [abandonStatement(lanes), returnStatement(lanes)]) {
    const whole = await rig.planOf(statement, 'text[], uuid[]');
    expect(whole).toMatch(/Index Scan (using|on) outbound_queue_/);
    expect(whole).not.toContain('Seq Scan on outbound_queue');
  }
});

it('whether transactional mail of a lane is due is told by an index, however much waits elsewhere', async () => {
  await rig.enqueueMany(50_000, { lane: `'mx' || no % 2`, is_bulk: `CASE WHEN no % 2 = 0 THEN true END` });
  const whole = await rig.planOf(isDueStatement('mx1'), 'text');
  expect(whole).toMatch(/Index Scan using outbound_queue_/);
  expect(whole).not.toContain('Seq Scan on outbound_queue');
  expect([await queue.isDue('mx0'), await queue.isDue('mx1'), await queue.isDue('mx2')]).toEqual([false, true, false]);
});

it('the teams of a lane are found by an index, however much mail waits in it', async () => {
  const teams = [newId(), newId(), newId()];
  await rig.enqueueMany(50_000, { team_id: `('{${teams.join(',')}}'::uuid[])[1 + no % 3]` });
  await queue.acquireLane(lane, worker);
  const { text, values } = claimInTurnsStatement(lane, worker, '00000000-0000-0000-0000-000000000000');
  const whole = await rig.planOf({ text, values }, 'text, uuid, uuid');
  expect(whole).not.toContain('Seq Scan on outbound_queue');
  const reads = [...whole.matchAll(/Index .*Scan using \S+ on outbound_queue.*?actual rows=([\d.]+)/g)].map(
    ([, rows]) => Number(rows),
  );
  expect(reads.length).toBeGreaterThan(0);
  expect(Math.max(...reads)).toBeLessThanOrEqual(16);
});
