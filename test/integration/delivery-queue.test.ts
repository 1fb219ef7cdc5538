import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { PostgresDeliveryQueue } from '../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { lane, QueueRig } from '../support/programs/queue-rig.js';

const detail = { durationMs: 1 };
let rig: QueueRig;
let database: Database;
let queue: PostgresDeliveryQueue;
let worker: string;
let enqueue: QueueRig['enqueue'];
let claim: QueueRig['claim'];
let lookOf: QueueRig['lookOf'];

beforeAll(async () => {
  rig = await QueueRig.create();
  ({ database, queue } = rig);
  enqueue = rig.enqueue.bind(rig);
  claim = rig.claim.bind(rig);
  lookOf = rig.lookOf.bind(rig);
});

afterAll(() => rig.drop());

beforeEach(async () => {
  await rig.reset();
  ({ worker } = rig);
});

async function lanesWithWork(): Promise<string[]> {
  return (await queue.lanesWithWork(worker, undefined, 10)).lanes.map(({ name }) => name);
}

describe('the delivery queue', () => {
  it('gives a lane to one worker at a time', async () => {
    const other = newId();
    await queue.heartbeat(other);
    expect(await queue.acquireLane(lane, worker)).toBe(true);
    expect(await queue.acquireLane(lane, other)).toBe(false);
    expect(await queue.acquireLane(lane, worker)).toBe(true);
    await queue.releaseLane(lane, worker);
    expect(await queue.acquireLane(lane, other)).toBe(true);
  });

  it('claims each recipient once, and nothing for a worker without the lane', async () => {
    await enqueue(5);
    expect(await queue.claim(lane, worker, 16)).toBeUndefined();
    await queue.acquireLane(lane, worker);
    const first = await claim(3);
    const second = await claim(3);
    expect(await claim(16)).toEqual([]);
    expect([first.length, second.length]).toEqual([3, 2]);
    expect(new Set([...first, ...second].map(({ recipientNo }) => recipientNo)).size).toBe(5);
    expect(first[0]).toMatchObject({ attempt: 1, lease: 1, address: 'a@b.test', size: 10 });
  });

  it('releases the recipients of a dead worker, and records their attempts with an unknown outcome', async () => {
    await enqueue(2);
    await queue.acquireLane(lane, worker);
    await queue.claim(lane, worker, 10);
    await database.execute({ text: `UPDATE workers SET heartbeat_at = now() - interval '1 minute'` });
    expect(await queue.forgetDeadWorkers(newId(), 10_000, 30_000)).toBe(2);
    expect(await lookOf()).toEqual([
      { attempt: 1, held: false },
      { attempt: 1, held: false },
    ]);
    expect(await database.query({ text: 'SELECT outcome FROM delivery_attempts' })).toEqual([
      { outcome: 'unknown' },
      { outcome: 'unknown' },
    ]);
    const next = newId();
    await queue.heartbeat(next);
    expect(await queue.acquireLane(lane, next)).toBe(true);
    expect((await claim(10, next)).map(({ attempt, lease }) => [attempt, lease])).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  it('a worker that stops normally keeps no lease, even if it could not write an outcome', async () => {
    await enqueue(2);
    await queue.acquireLane(lane, worker);
    await claim(2);
    await queue.retire(worker);
    const next = newId();
    await queue.heartbeat(next);
    expect(await queue.acquireLane(lane, next)).toBe(true);
    expect(await claim(16, next)).toHaveLength(2);
    expect(await database.query({ text: 'SELECT outcome FROM delivery_attempts' })).toHaveLength(2);
  });

  it('a forgotten worker acquires no lane before its next heartbeat, and loses a lane that it acquired meanwhile', async () => {
    const forgotten = newId();
    expect(await queue.acquireLane(lane, forgotten)).toBe(false);

    // It was forgotten while it acquired the lane, and died before its next heartbeat.
    await enqueue(2);
    await database.execute({ text: `INSERT INTO lanes VALUES ($1, $2, now())`, values: [lane, forgotten] });
    await claim(16, forgotten);
    expect(await queue.forgetDeadWorkers(worker, 10_000, 30_000)).toBe(2);
    expect(await queue.acquireLane(lane, worker)).toBe(true);
    expect(await claim(16)).toHaveLength(2);
  });

  it('ignores an outcome from a worker that has lost its lease', async () => {
    await enqueue(1);
    await queue.acquireLane(lane, worker);
    const [claimed] = await claim(1);
    await database.execute({ text: `UPDATE workers SET heartbeat_at = now() - interval '1 minute'` });
    await queue.forgetDeadWorkers(newId(), 10_000, 30_000);
    const next = newId();
    await queue.heartbeat(next);
    await queue.acquireLane(lane, next);
    await queue.claim(lane, next, 1);

    const late = {
      recipient: claimed!,
      outcome: { kind: 'delivered', detail } as const,
      startedAt: new Date(),
      retryAt: undefined,
    };
    expect(await database.run((transaction) => queue.settle(worker, [late], transaction))).toEqual([]);
    expect(await lookOf()).toEqual([{ attempt: 2, held: true }]);
  });

  it('removes a recipient with a final outcome, and keeps a deferred one until its next attempt', async () => {
    await enqueue(2);
    await queue.acquireLane(lane, worker);
    const [first, second] = await claim(2);
    const startedAt = new Date();
    const attempts = [
      { recipient: first!, outcome: { kind: 'delivered', detail } as const, startedAt, retryAt: undefined },
      {
        recipient: second!,
        outcome: { kind: 'deferred', reason: 'busy\0', outcomeUnknown: false, detail } as const,
        startedAt,
        retryAt: new Date(Date.now() + 60_000),
      },
    ];
    const counted = await database.run((transaction) => queue.settle(worker, attempts, transaction));
    expect(counted).toHaveLength(2);
    expect(await lookOf()).toEqual([{ attempt: 1, held: false }]);
    expect(await claim(10)).toEqual([]);
  });

  it('finds lanes with work, except those of other workers and those with nothing due', async () => {
    await enqueue(1, 'a');
    await enqueue(1, 'b');
    await enqueue(1, 'c');
    const other = newId();
    await queue.heartbeat(other);
    await queue.acquireLane('b', other);
    await database.execute({ text: `UPDATE outbound_queue SET due_at = now() + interval '1 hour' WHERE lane = 'c'` });
    expect(await lanesWithWork()).toEqual(['a']);
  });

  it('a worker never forgets itself, and learns from its next claim that it was forgotten', async () => {
    await enqueue(1);
    await queue.acquireLane(lane, worker);
    await database.execute({ text: `UPDATE workers SET heartbeat_at = now() - interval '1 minute'` });
    expect(await queue.forgetDeadWorkers(worker, 10_000, 30_000)).toBe(0);
    expect(await claim(16)).toHaveLength(1);
    expect(await queue.forgetDeadWorkers(newId(), 10_000, 30_000)).toBe(1);
    expect(await queue.claim(lane, worker, 16)).toBeUndefined();
  });

  it('an abandoned lane records its attempts with an unknown outcome, and they are tried again later', async () => {
    await enqueue(2);
    await queue.acquireLane(lane, worker);
    await claim(2);
    await queue.abandonLane(lane, worker);
    expect(await lookOf()).toEqual([
      { attempt: 1, held: false },
      { attempt: 1, held: false },
    ]);
    expect(await database.query({ text: 'SELECT outcome FROM delivery_attempts' })).toHaveLength(2);
    expect(await queue.acquireLane(lane, worker)).toBe(true);
    expect(await claim(16)).toEqual([]);
  });

  it('lets teams take turns if one of them fills the lane with mail', async () => {
    const others = Array.from({ length: 10 }, () => newId()).sort();
    await enqueue(2_000);
    await database.execute({ text: 'UPDATE outbound_queue SET team_id = $1', values: [newId()] });
    for (const team of others) {
      await enqueue(20);
      await database.execute({
        text: `UPDATE outbound_queue SET team_id = $1 WHERE team_id = '00000000-0000-0000-0000-000000000000'`,
        values: [team],
      });
    }
    expect(await queue.claimInTurns(lane, worker, undefined)).toBeUndefined();
    await queue.acquireLane(lane, worker);
    const first = await queue.claimInTurns(lane, worker, undefined);
    const second = await queue.claimInTurns(lane, worker, first?.lookedAt);
    expect([first?.claimed.length, second?.claimed.length]).toEqual([8 * 16, 3 * 16]);
    expect(second?.lookedAt).toBeUndefined();
    const teams = new Set([...(first?.claimed ?? []), ...(second?.claimed ?? [])].map(({ teamId }) => teamId));
    expect([...teams]).toEqual(expect.arrayContaining(others));
    await queue.pause(lane, 'down');
    expect((await queue.claimInTurns(lane, worker, undefined))?.claimed).toEqual([]);
  });

  it('gives new mail its share beside a backlog of retries', async () => {
    await enqueue(40);
    await database.execute({
      text: `UPDATE outbound_queue SET queued_at = now() - interval '1 hour', due_at = now() - interval '1 minute'`,
    });
    await enqueue(40);
    await queue.acquireLane(lane, worker);
    const claimed = await claim(20);
    const fresh = claimed.filter(({ queuedAt }) => queuedAt.getTime() > Date.now() - 600_000);
    expect([claimed.length, fresh.length]).toEqual([20, 15]);
    await claim(20);
    await claim(20);
    expect(await claim(60)).toHaveLength(20);
  });

  it('claims nothing from a paused lane, and then one recipient as a probe until the lane resumes', async () => {
    await enqueue(5);
    await queue.acquireLane(lane, worker);
    await queue.pause(lane, 'ECONNREFUSED');
    expect(await claim(10)).toEqual([]);
    expect(await lanesWithWork()).toEqual([]);

    await database.execute({ text: 'UPDATE lane_pauses SET until = now()' });
    expect(await lanesWithWork()).toEqual([lane]);
    const probe = await claim(10);
    expect(probe).toMatchObject([{ isProbe: true, attempt: 1 }]);
    expect(await claim(10)).toEqual([]);

    await queue.returnUntried(worker, probe);
    expect((await lookOf()).every(({ attempt, held }) => attempt === 0 && !held)).toBe(true);
    await queue.resume(lane);
    expect(await claim(10)).toHaveLength(5);
  });

  it('pauses a lane longer each time, up to half an hour, and then claims all recipients that have waited too long', async () => {
    await enqueue(3);
    await queue.acquireLane(lane, worker);
    for (let time = 0; time < 12; time++) await queue.pause(lane, 'down');
    const [pause] = await database.query<{ seconds: number }>({
      text: 'SELECT extract(epoch FROM until - now())::int AS seconds FROM lane_pauses',
    });
    expect(pause?.seconds).toBeGreaterThan(1_790);
    expect(pause?.seconds).toBeLessThanOrEqual(1_800);

    await database.execute({
      text: `UPDATE outbound_queue SET queued_at = now() - interval '49 hours', due_at = now() - interval '49 hours'`,
    });
    await database.execute({ text: 'UPDATE lane_pauses SET until = now()' });
    expect(await claim(10)).toHaveLength(3);
  });
});
