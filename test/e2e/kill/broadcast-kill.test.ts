import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { BroadcastSteps } from '../../support/builders/broadcast-steps.js';
import { testApiKey, testEnvironment } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { createTestDatabase, TestDatabase } from '../../support/servers/test-database.js';
import { rounds } from '../../support/runner/rounds.js';
import { until } from '../../support/runner/until.js';

/** `BROADCAST_CONTACTS=100000 npm run test:file -- e2e/kill/broadcast` is the same with more. */
const contacts = Number(process.env.BROADCAST_CONTACTS ?? rounds(5_000, 10_000));
const kills = rounds(5, 10);
const unsubscribingAtOnce = 32;
/** All workers may be dead at once, and processes start slowly beside others. */
const restartsWithinMs = 120_000;
/** One kill in five is that of the process with the API, the others are those of workers. */
const doorEvery = 5;
/** A slice that had read its contacts when one of them unsubscribed is still finished. */
const sliceMs = 2_000;
/** Does not grow with the contacts. Up to 192 MB of it are new objects: three semi-spaces of 64 MB. */
const maxMemory = 360 * 1024 * 1024;

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let door: ServerProgram;
let steps: BroadcastSteps;
let broadcastId: string;
const workers: ServerProgram[] = [];
const starting = new Set<Promise<void>>();
const peaks: number[] = [];

async function run(roles: string): Promise<ServerProgram> {
  return runServerProgram({
    ...testEnvironment(database, await mkdtemp(join(dataDir, 'process-'))),
    ROLES: roles,
    // Nothing is delivered: this is about what is accepted.
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: 'smtp://127.0.0.1:9?tls=none',
    RATE_LIMIT_PER_SECOND: '100000',
  });
}

async function startWorker(): Promise<void> {
  workers.push(await run('worker'));
}

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-broadcast-kill-'));
  door = await run('api');
  const query = async (statement: { text: string; values?: unknown[] }): Promise<never[]> =>
    (await sql.query(statement.text, statement.values)).rows as never[];
  const [team] = await query({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps({ query }, (team as unknown as { id: string }).id);
});

afterAll(async () => {
  await Promise.all(starting);
  await Promise.all([door, ...workers].map((program) => program.stop()));
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function killOne(no: number): Promise<void> {
  if (no % doorEvery === doorEvery - 1) {
    await door.kill();
    door = await run('api');
    return;
  }
  const worker = await until(() => workers.shift());
  peaks.push(await worker.peakMemory());
  await worker.kill();
  const started = startWorker().finally(() => starting.delete(started));
  starting.add(started);
}

/** Unsubscribes some at a time. Returns when the program confirmed each. */
async function unsubscribe(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const confirmed = new Map<string, number>();
  const waiting = [...ids];
  await Promise.all(Array.from({ length: unsubscribingAtOnce }, () => unsubscribeNext(waiting, confirmed)));
  return confirmed;
}

async function unsubscribeNext(waiting: string[], confirmed: Map<string, number>): Promise<void> {
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const path = `/contacts/${id}`;
    await until(async () => {
      const answer = await fetch(`${door.url}${path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ unsubscribed: true }),
      }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      return answer?.ok === true;
    }, restartsWithinMs);
    confirmed.set(id, Date.now());
  }
}

it('each contact gets exactly one email of its own, or none once it unsubscribed, however often processes are killed', async () => {
  const segmentId = await steps.segment();
  const ids = await steps.contacts(segmentId, contacts);
  // Contacts get it in the order of their ids. The last ones leave first, so that most of them leave in time.
  const leaving = ids.filter((_, no) => no % 10 === 0).sort();
  await Promise.all([startWorker(), startWorker(), startWorker()]);
  const id = (broadcastId = await steps.start({ segmentId }));
  const left = unsubscribe(leaving);
  for (let no = 0; no < kills; no++) {
    const next = ((no + 0.5) * contacts * 0.9) / (kills + 1);
    await until(async () => ((await steps.progressOf(id)).accepted ?? 0) >= next, restartsWithinMs);
    await killOne(no);
  }
  await until(async () => (await steps.stateOf(id)).status === 'sent', restartsWithinMs);
  const confirmed = await left;
  peaks.push(...(await Promise.all(workers.map((worker) => worker.peakMemory()))));

  const { rows } = await sql.query<{ contact_id: string; at: Date; right: boolean; emails: number }>(
    `SELECT r.contact_id, min(e.created_at) AS at, count(*)::int AS emails,
            bool_and(e."to"[1] = c.email AND e.merge_values ->> 'first_name' = c.first_name
                     AND e.subject = 'News for ' || c.first_name) AS right
     FROM broadcast_recipients r JOIN contacts c ON c.id = r.contact_id JOIN emails e ON e.id = r.email_id
     WHERE r.broadcast_id = $1 GROUP BY 1`,
    [id],
  );
  const sent = new Map(rows.map((row) => [row.contact_id, row]));
  const missing = ids.filter((contact) => !confirmed.has(contact) && !sent.has(contact));
  const wrong = rows.filter(({ right, emails }) => !right || emails !== 1);
  const late = rows.filter(({ contact_id, at }) => at.getTime() > (confirmed.get(contact_id) ?? Infinity) + sliceMs);
  expect({ missing, wrong, late }).toEqual({ missing: [], wrong: [], late: [] });
  // No email was accepted whose recipient was not written down, and the numbers are those of the rows.
  const [all] = (await sql.query<{ emails: number }>('SELECT count(*)::int AS emails FROM emails')).rows;
  expect(all?.emails).toBe(rows.length);
  expect(await steps.progressOf(id)).toMatchObject({
    planned: contacts,
    accepted: rows.length,
    sent: rows.length,
    skipped: contacts - rows.length,
    skipped_unsubscribed: contacts - rows.length,
  });
  // Usually more than half of them; less if the machine is busy.
  expect(contacts - rows.length).toBeGreaterThan(leaving.length / 10);
  expect(Math.max(...peaks)).toBeLessThan(maxMemory);
  if (process.env.BROADCAST_CONTACTS !== undefined) {
    console.log(
      `${rows.length} emails; ${contacts - rows.length} of ${leaving.length} unsubscribed in time; memory of workers: ${peaks.map((peak) => Math.round(peak / 2 ** 20)).join(', ')} MB`,
    );
  }
}, 1_200_000);

/** Lets things happen to emails of the broadcast, as delivery and tracking write them. */
async function happen(from: number, count: number): Promise<void> {
  await sql.query(
    `WITH chosen AS MATERIALIZED (
       SELECT e.id, e.event_seq, row_number() OVER (ORDER BY e.id) - 1 + $2 AS no
       FROM (SELECT id, event_seq FROM emails ORDER BY id OFFSET $2 LIMIT $3) e
     ), happened AS (
       SELECT id, event_seq, 1 AS turn, 'email.delivered' AS type, NULL::jsonb AS data FROM chosen WHERE no % 10 > 0
       UNION ALL SELECT id, event_seq, 1, 'email.bounced', '{"bounce": {"type": "Permanent"}}' FROM chosen WHERE no % 10 = 0
       UNION ALL SELECT id, event_seq, turn, 'email.opened', '{"open": {"machine": false}}'
                 FROM chosen, generate_series(2, 3) AS turn WHERE no % 10 = 1
       UNION ALL SELECT id, event_seq, 4, 'email.opened', '{"open": {"machine": true}}' FROM chosen WHERE no % 10 IN (1, 2)
       UNION ALL SELECT id, event_seq, turn, 'email.clicked', '{"click": {"link": "https://acme.test/"}}'
                 FROM chosen, generate_series(5, 6) AS turn WHERE no % 10 = 1
     )
     INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
     SELECT id, event_seq + turn, 0, $1, type, data FROM happened ORDER BY id, turn`,
    [new Date(), from, count],
  );
}

/** Kills the only worker, and starts another one, for which the lease of the killed one is over. */
async function replaceWorker(): Promise<void> {
  await workers.shift()?.kill();
  await sql.query(`UPDATE event_consumers SET held_until = now() WHERE name = 'broadcast-progress'`);
  await startWorker();
}

/** Kills the worker after it has written the results of some events, and before it has counted them. */
async function killBetween(events: () => Promise<void>): Promise<void> {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  // Locks no row, so the transaction gets no id, for whose end the reader of the events would wait.
  await holder.query('LOCK TABLE broadcast_progress IN SHARE MODE');
  await events();
  await until(async () => {
    const { rowCount } = await sql.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE broadcast_progress%'`,
    );
    return rowCount === 1;
  }, restartsWithinMs);
  await workers[0]?.kill();
  await holder.end();
  await replaceWorker();
}

/** Kills the worker while it counts one batch after the other. */
async function killAfterSome(events: () => Promise<void>): Promise<void> {
  const { delivered: before = 0 } = await steps.progressOf(broadcastId);
  await events();
  await until(async () => ((await steps.progressOf(broadcastId)).delivered ?? 0) > before, restartsWithinMs);
  await replaceWorker();
}

it('what became of it is counted once, however often the process that counts is killed', async () => {
  await Promise.all(starting);
  await Promise.all(workers.splice(1).map((worker) => worker.stop()));
  await killBetween(() => happen(0, 1_000));
  await killAfterSome(() => happen(1_000, 1_000));
  await killBetween(() => happen(2_000, 1_000));
  await killAfterSome(() => happen(3_000, 1_000));
  await until(async () => {
    const { rowCount } = await sql.query(
      `SELECT FROM event_consumers
       WHERE name = 'broadcast-progress' AND position = pg_sequence_last_value('email_event_positions')`,
    );
    return rowCount === 1;
  }, restartsWithinMs);

  const counts = { delivered: 3_600, bounced: 400, opened: 400, clicked: 400 };
  expect(await steps.progressOf(broadcastId)).toMatchObject(counts);
  const { rows: results } = await sql.query(
    `SELECT kind, count(*)::int AS recipients, sum(count)::int AS times FROM broadcast_results
     WHERE broadcast_id = $1 AND kind NOT IN ('sent', 'failed') GROUP BY 1 ORDER BY 1`,
    [broadcastId],
  );
  expect(results).toEqual([
    { kind: 'bounced', recipients: 400, times: 400 },
    { kind: 'clicked', recipients: 400, times: 800 },
    { kind: 'delivered', recipients: 3_600, times: 3_600 },
    { kind: 'opened', recipients: 400, times: 800 },
  ]);
  // Who unsubscribed between the acceptance of the email and its first attempt gets nothing.
  const { rows: failed } = await sql.query(
    `SELECT c.id FROM broadcast_results r JOIN contacts c ON c.id = r.contact_id
     WHERE r.broadcast_id = $1 AND r.kind = 'failed' AND (NOT c.unsubscribed OR r.count <> 1)`,
    [broadcastId],
  );
  expect(failed).toEqual([]);
  const { rows: links } = await sql.query(
    'SELECT clicks::int, unique_clicks::int AS unique FROM broadcast_links WHERE broadcast_id = $1',
    [broadcastId],
  );
  expect(links).toEqual([{ clicks: 800, unique: 400 }]);
  const { rows: counters } = await sql.query(
    `SELECT sum(delivered)::int AS delivered, sum(bounced_permanent)::int AS bounced, sum(opened)::int AS all_opens,
            sum(unique_opened)::int AS opened, sum(unique_clicked)::int AS clicked
     FROM broadcast_counters WHERE broadcast_id = $1`,
    [broadcastId],
  );
  // Opens of machines are among all opens.
  expect(counters).toEqual([{ ...counts, all_opens: 1_600 }]);
}, 600_000);
