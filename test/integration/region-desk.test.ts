import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { MovedDomain } from '#domains';
import { newId } from '#kernel';
import { heartbeatStatement } from '../../libs/delivery/src/infrastructure/persistence/lane-statements.js';
import {
  moveWaitingToRegionStatement,
  PostgresRegionDesk,
} from '../../libs/delivery/src/infrastructure/persistence/postgres-region-desk.js';
import { QueueRig } from '../support/programs/queue-rig.js';

let rig: QueueRig;
let desk: PostgresRegionDesk;
let domain: MovedDomain;

beforeAll(async () => {
  rig = await QueueRig.create();
  desk = new PostgresRegionDesk(rig.database);
});

afterAll(() => rig.drop());

beforeEach(async () => {
  await rig.reset();
  domain = { id: newId(), teamId: newId(), sendingRegion: 'eu', movedAt: new Date() };
});

const enqueue = (count: number, lane: string, columns: object = {}): Promise<void> =>
  rig.enqueueMany(count, { lane: `'${lane}'`, team_id: `'${domain.teamId}'`, domain_id: `'${domain.id}'`, ...columns });

const lanes = (): Promise<{ lane: string; count: number }[]> =>
  rig.database.query({ text: 'SELECT lane, count(*)::int AS count FROM outbound_queue GROUP BY lane ORDER BY lane' });

it('moves transactional and bulk mail of the domain from every other region, and leaves the rest', async () => {
  await enqueue(3, 'us/default/mx:a.test');
  await enqueue(2, 'us/default/mx:a.test', { is_bulk: 'true' });
  await enqueue(4, 'sa/pool/paced:bulk:x:google');
  await enqueue(5, 'eu/default/mx:a.test');
  await enqueue(6, 'us/default/mx:a.test', { domain_id: `'${newId()}'` });
  await enqueue(7, 'mx:old.test');
  expect(await desk.moveWaiting([domain], '', 100)).toEqual({
    found: [domain.id],
    isCut: false,
    moved: 9,
    lookedAt: undefined,
  });
  expect(await lanes()).toEqual([
    { lane: 'eu/default/mx:a.test', count: 10 },
    { lane: 'eu/pool/paced:bulk:x:google', count: 4 },
    { lane: 'mx:old.test', count: 7 },
    { lane: 'us/default/mx:a.test', count: 6 },
  ]);
});

it('counts what a worker has in hand, and leaves it there', async () => {
  await enqueue(3, 'us/default/mx:a.test');
  await rig.database.execute({
    text: 'UPDATE outbound_queue SET worker_id = $1 WHERE email_id IN (SELECT email_id FROM outbound_queue LIMIT 1)',
    values: [rig.worker],
  });
  expect(await desk.moveWaiting([domain], '', 100)).toEqual({
    found: [domain.id],
    isCut: false,
    moved: 2,
    lookedAt: undefined,
  });
  expect(await desk.moveWaiting([domain], '', 100)).toEqual({
    found: [domain.id],
    isCut: false,
    moved: 0,
    lookedAt: undefined,
  });
});

it('two workers that move at once move each recipient once', async () => {
  await enqueue(3_000, 'us/default/mx:a.test');
  for (let left = 3_000; left > 0;) {
    const results = await Promise.all([desk.moveWaiting([domain], '', 10), desk.moveWaiting([domain], '', 10)]);
    left -= results.reduce((sum, { moved }) => sum + moved, 0);
    expect(left).toBeGreaterThanOrEqual(0);
  }
  expect(await lanes()).toEqual([{ lane: 'eu/default/mx:a.test', count: 3_000 }]);
});

it('examines some lanes at a time, and reads no mail of other teams', async () => {
  await rig.enqueueMany(20_000, { lane: `'us/default/mx:' || lpad((no / 20)::text, 4, '0')` });
  await enqueue(10, 'us/default/mx:0500');
  const first = await desk.moveWaiting([domain], '', 400);
  expect(first).toEqual({ found: [], isCut: false, moved: 0, lookedAt: 'us/default/mx:0399' });
  expect(await desk.moveWaiting([domain], first.lookedAt ?? '', 400)).toMatchObject({ found: [domain.id], moved: 10 });
  const plan = await rig.planOf(moveWaitingToRegionStatement([domain], '', 400), 'text, int, uuid[], uuid[], text[]');
  expect(plan).not.toContain('Seq Scan on outbound_queue');
  expect(plan).toContain('outbound_queue_turns');
});

it('tells for how long a region has been silent, and nothing while a worker sends for all', async () => {
  const { database } = rig;
  await database.execute({ text: 'DELETE FROM regions' });
  expect((await desk.presences()).presences).toEqual([]);
  await database.execute({ text: 'DELETE FROM workers' });
  await database.execute(heartbeatStatement(newId(), 'eu'));
  await database.execute({
    text: `UPDATE regions SET seen_at = now() - interval '20 s', alive_since = now() - interval '50 s'`,
  });
  const [silent] = (await desk.presences()).presences;
  expect(silent?.name).toBe('eu');
  expect(silent?.silentMs).toBeCloseTo(20_000, -4);
  expect(silent?.steadyMs).toBeCloseTo(30_000, -4);
  await database.execute(heartbeatStatement(newId(), 'eu'));
  const [back] = (await desk.presences()).presences;
  expect(back?.silentMs).toBeLessThan(10_000);
  expect(back?.steadyMs).toBeGreaterThan(45_000);
  await database.execute({ text: `UPDATE regions SET seen_at = now() - interval '31 s'` });
  await database.execute(heartbeatStatement(newId(), 'eu'));
  expect((await desk.presences()).presences).toMatchObject([{ name: 'eu', workers: 3 }]);
  expect((await desk.presences()).presences[0]?.steadyMs).toBeLessThan(1_000);
  expect((await desk.presences()).areServed).toBe(false);
  await database.execute(heartbeatStatement(newId(), undefined));
  expect((await desk.presences()).areServed).toBe(true);
});
