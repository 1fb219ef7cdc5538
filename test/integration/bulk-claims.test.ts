import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { TeamsTurn } from '../../libs/delivery/src/application/ports/delivery-queue.port.js';
import {
  claimBulkStatement,
  claimStatement,
} from '../../libs/delivery/src/infrastructure/persistence/claim-statements.js';
import { lane, QueueRig } from '../support/programs/queue-rig.js';

const horizonMs = 172_800_000;
const [first, second, third] = [newId(), newId(), newId()].sort() as [string, string, string];
let rig: QueueRig;
let worker: string;

beforeAll(async () => (rig = await QueueRig.create()));
afterAll(() => rig.drop());
beforeEach(async () => {
  await rig.reset();
  ({ worker } = rig);
  await rig.queue.acquireLane(lane, worker);
});

const bulk = (count: number, teamId: string): Promise<void> =>
  rig.enqueueMany(count, { team_id: `'${teamId}'`, is_bulk: 'true' });

async function ended(teamId: string): Promise<void> {
  await rig.database.execute({ text: 'DELETE FROM outbound_queue WHERE team_id = $1', values: [teamId] });
}

async function claimBulk(limit: number, afterTeam?: string): Promise<TeamsTurn> {
  return (await rig.queue.claimBulk(lane, worker, limit, afterTeam)) as TeamsTurn;
}

function countsOf({ claimed }: TeamsTurn): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { teamId } of claimed) counts[teamId] = (counts[teamId] ?? 0) + 1;
  return counts;
}

describe('bulk mail in a lane', () => {
  it('is in no claim of transactional mail, which says that some is due', async () => {
    await bulk(20, first);
    await rig.enqueue(3);
    const claim = await rig.queue.claim(lane, worker, 16);
    expect([claim?.claimed.length, claim?.isBulkDue]).toEqual([3, true]);
    expect((await rig.queue.claimInTurns(lane, worker, undefined))?.claimed).toEqual([]);
    const { claimed } = await claimBulk(64);
    expect([claimed.length, claimed[0]?.isBulk]).toEqual([20, true]);
    expect((await rig.queue.claim(lane, worker, 16))?.isBulkDue).toBe(false);
  });

  it('is due when its time has come, not before', async () => {
    await rig.enqueueMany(5, { is_bulk: 'true', due_at: `now() + interval '1 hour'` });
    expect((await rig.queue.claim(lane, worker, 16))?.isBulkDue).toBe(false);
    expect((await claimBulk(64)).claimed).toEqual([]);
  });

  it('is claimed in equal parts of the teams that wait, and one that waits alone gets the whole claim', async () => {
    await bulk(300, first);
    await bulk(300, second);
    await bulk(5, third);
    expect(countsOf(await claimBulk(60))).toEqual({ [first]: 20, [second]: 20, [third]: 5 });
    await ended(third);
    expect(countsOf(await claimBulk(64))).toEqual({ [first]: 32, [second]: 32 });
    await ended(second);
    expect(countsOf(await claimBulk(64))).toEqual({ [first]: 64 });
  });

  it('of many teams is claimed in rounds, in which each team gets the same part', async () => {
    const teams = Array.from({ length: 9 }, () => newId()).sort();
    for (const team of teams) await bulk(100, team);
    const turn = await claimBulk(64);
    expect(countsOf(turn)).toEqual(Object.fromEntries(teams.slice(0, 8).map((team) => [team, 8])));
    expect(turn.lookedAt).toBe(teams[7]);
    const rest = await claimBulk(64, turn.lookedAt);
    expect([countsOf(rest), rest.lookedAt]).toEqual([{ [teams[8] as string]: 8 }, undefined]);
  });

  it('takes part in the pause of its lane: nothing, then one probe', async () => {
    await bulk(20, first);
    await rig.queue.pause(lane, 'down');
    expect((await claimBulk(16)).claimed).toEqual([]);
    await rig.database.execute({ text: 'UPDATE lane_pauses SET until = now()' });
    expect((await claimBulk(16)).claimed).toMatchObject([{ isProbe: true }]);
    expect((await claimBulk(16)).claimed).toEqual([]);
    expect((await rig.queue.claim(lane, worker, 16))?.claimed).toEqual([]);
  });

  it('is claimed by nobody without the lane', async () => {
    await bulk(2, first);
    await rig.queue.releaseLane(lane, worker);
    expect(await rig.queue.claimBulk(lane, worker, 16, undefined)).toBeUndefined();
  });

  it('costs the other claims nothing, however much of it waits, and its own claim no more than it takes', async () => {
    for (const team of [first, second]) await bulk(50_000, team);
    await rig.enqueue(10);
    await rig.database.execute({ text: 'ANALYZE outbound_queue' });
    const plain = await rig.planOf(claimStatement(lane, worker, 64, horizonMs), 'text, uuid, int, int');
    expect(readsOf(plain.slice(plain.indexOf('CTE retries')))).toBeLessThanOrEqual(64);
    const given = claimBulkStatement({ lane, workerId: worker, limit: 64, afterTeam: first }, horizonMs);
    const turns = await rig.planOf(given, 'text, uuid, int, int, uuid');
    expect(readsOf(turns.slice(turns.indexOf('CTE teams')))).toBeLessThanOrEqual(64);
    expect((await rig.claim(64)).length).toBe(10);
  });
});

/** The most rows that one step read of the queue, all by an index. */
function readsOf(plan: string): number {
  expect(plan).not.toContain('Seq Scan on outbound_queue');
  expect(plan).not.toMatch(/on outbound_queue(?:(?!->).)*Rows Removed by Filter/s);
  const reads = [...plan.matchAll(/Index .*Scan using \S+ on outbound_queue.*?actual rows=([\d.]+)/g)];
  expect(reads.length).toBeGreaterThan(0);
  return Math.max(...reads.map(([, rows]) => Number(rows)));
}
