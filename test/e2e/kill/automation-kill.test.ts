import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Resend } from 'resend';
import { AutomationSteps, Steps } from '../../support/builders/automation-steps.js';
import { testApiKey, testEnvironment } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { createTestDatabase, TestDatabase } from '../../support/servers/test-database.js';
import { until } from '../../support/runner/until.js';

/** `AUTOMATION_RUNS=100000 npm run test:file -- e2e/kill/automation` is the same with more. */
const people = Number(process.env.AUTOMATION_RUNS ?? 300);
const kills = 5;
const sendingAtOnce = 16;
/** Every so many kills it is that of the process with the API. */
const doorEvery = 4;
const withinMs = 120_000;

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let door: ServerProgram;
const workers: ServerProgram[] = [];

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

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-automation-kill-'));
  door = await run('api');
});

afterAll(async () => {
  await Promise.all([door, ...workers].map((program) => program.stop()));
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends until the service has confirmed each event. An event that it took without confirming is sent again. */
async function sendAll(event: string, numbers: readonly number[]): Promise<void> {
  const waiting = [...numbers];
  const sendNext = async (): Promise<void> => {
    for (let no = waiting.pop(); no !== undefined; no = waiting.pop()) {
      const body = JSON.stringify({ event, email: `person${no}@sink.test`, payload: { no, even: no % 2 === 0 } });
      await until(async () => {
        const headers = { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' };
        const answer = await fetch(`${door.url}/events/send`, { method: 'POST', headers, body }).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        return answer?.status === 202;
      }, withinMs);
    }
  };
  await Promise.all(Array.from({ length: sendingAtOnce }, sendNext));
}

async function killOne(no: number): Promise<void> {
  if (no % doorEvery === doorEvery - 1) {
    await door.kill();
    door = await run('api');
    return;
  }
  await workers.shift()?.kill();
  workers.push(await run('worker'));
}

const count = async (text: string): Promise<number> => Number((await sql.query<{ n: string }>(text)).rows[0]?.n);

it('each run does each of its steps once, however often processes are killed', async () => {
  const resend = new Resend(testApiKey, { baseUrl: door.url });
  const automations = new AutomationSteps(resend);
  const template = await automations.template();
  const { data: segment } = await resend.segments.create({ name: 'Even' });
  const mail = (key: string): Steps[number] => ({ key, type: 'send_email', config: { template: { id: template } } });
  await automations.enabled({
    steps: [
      { key: 'start', type: 'trigger', config: { eventName: 'begun' } },
      mail('first'),
      { key: 'name', type: 'contact_update', config: { firstName: { var: 'event.no' } } },
      { key: 'a moment', type: 'delay', config: { duration: '1 second' } },
      { key: 'even', type: 'condition', config: { type: 'rule', field: 'event.even', operator: 'eq', value: true } },
      { key: 'join', type: 'add_to_segment', config: { segmentId: segment?.id ?? '' } },
      mail('second'),
      { key: 'wait', type: 'wait_for_event', config: { eventName: 'ended' } },
      { key: 'end', type: 'contact_delete', config: {} },
    ],
    connections: [
      { from: 'start', to: 'first' },
      { from: 'first', to: 'name' },
      { from: 'name', to: 'a moment' },
      { from: 'a moment', to: 'even' },
      { from: 'even', to: 'join', type: 'condition_met' },
      { from: 'join', to: 'second' },
      { from: 'even', to: 'wait', type: 'condition_not_met' },
      { from: 'wait', to: 'end', type: 'event_received' },
    ],
  });
  for (let no = 0; no < 2; no++) workers.push(await run('worker'));
  const all = Array.from({ length: people }, (_, no) => no);
  const sending = sendAll('begun', all);
  for (let no = 0; no < kills; no++) await killOne(no);
  await sending;
  const runs = await count('SELECT count(*) AS n FROM custom_event_occurrences')
    .then(() => until(async () => (await count('SELECT count(*) AS n FROM custom_event_occurrences')) === 0, withinMs))
    .then(() => count('SELECT count(*) AS n FROM automation_runs'));
  // A repeated event is another event. Whoever is odd waits, and whoever is even is through.
  expect(runs).toBeGreaterThanOrEqual(people);
  const odd = `(payload ->> 'even')::boolean IS FALSE`;
  await until(async () => {
    const unfinished = `SELECT count(*) AS n FROM automation_runs WHERE status = 'running' AND waiting_event IS NULL`;
    return (await count(unfinished)) === 0;
  }, withinMs);
  await killOne(0);
  await sendAll(
    'ended',
    all.filter((no) => no % 2 === 1),
  );
  await killOne(1);
  await until(
    async () => (await count(`SELECT count(*) AS n FROM automation_runs WHERE status = 'running'`)) === 0,
    withinMs,
  );
  expect(await count(`SELECT count(*) AS n FROM automation_runs WHERE status = 'completed'`)).toBe(runs);
  // Emails: one for each run, a second one for the even ones. None without its step, and no step without its email.
  const evenRuns = runs - (await count(`SELECT count(*) AS n FROM automation_runs WHERE ${odd}`));
  expect(await count('SELECT count(*) AS n FROM emails')).toBe(runs + evenRuns);
  expect(await count('SELECT count(*) AS n FROM emails e JOIN automation_run_steps s ON s.email_id = e.id')).toBe(
    runs + evenRuns,
  );
  // Contacts: the even ones are in the segment and have their name, the odd ones are gone.
  const even = Math.ceil(people / 2);
  expect(await count(`SELECT count(*) AS n FROM contacts`)).toBe(even);
  expect(await count(`SELECT count(*) AS n FROM contacts WHERE email = 'person' || first_name || '@sink.test'`)).toBe(
    even,
  );
  expect(await count('SELECT count(*) AS n FROM segment_contacts')).toBe(even);
  expect(await count('SELECT sum(runs) AS n FROM automation_usage')).toBe(runs);
}, 300_000);
