import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { createTestDatabase } from '../support/servers/test-database.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';
import { stretched } from '../support/runner/stretched.js';

/** Maximum duration of a request that needs a locked table or row. */
const maxBlockedMs = stretched(15_000);
const transport = new InMemoryDeliveryTransport();
let program: TestProgram;
let blocker: Client;

beforeAll(async () => {
  const database = await createTestDatabase();
  blocker = new Client({ connectionString: database.url });
  await blocker.connect();
  const [row] = (await blocker.query<{ name: string }>('SELECT current_database() AS name')).rows;
  // The worst defaults that a database can have.
  for (const setting of ['synchronous_commit = off', 'statement_timeout = 0', 'lock_timeout = 0']) {
    await blocker.query(`ALTER DATABASE ${row?.name} SET ${setting}`);
  }
  program = await startProgram({ DATABASE_POOL: '8' }, new Adapters().use(DeliveryTransport, transport), database);
  await blocker.query(`CREATE TABLE seen_settings (synchronous_commit text)`);
});

afterAll(async () => {
  await blocker.end();
  await program.stop();
  await program.database.drop();
});

interface TimedResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
  readonly id: string | undefined;
}

async function timed(path: string, init?: RequestInit): Promise<TimedResponse> {
  const startedAt = performance.now();
  const response = await program.request(path, init);
  const body = (await response.json()) as { id?: string };
  const ms = performance.now() - startedAt;
  return { status: response.status, retryAfter: response.headers.get('retry-after'), ms, id: body.id };
}

const send = (to: string): Promise<TimedResponse> =>
  timed('/emails', {
    method: 'POST',
    body: JSON.stringify({ from: testSender, to, subject: 'Hello', text: 'Hello' }),
  });

const many = <T>(count: number, make: (n: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, (_, n) => make(n));

it('the acceptance of an email is committed synchronously whatever the default of the database is', async () => {
  await blocker.query(`
    CREATE FUNCTION see_settings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO seen_settings VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$`);
  await blocker.query(`CREATE TRIGGER seen AFTER INSERT ON emails FOR EACH STATEMENT EXECUTE FUNCTION see_settings()`);

  expect((await send('durable@sink.test')).status).toBe(200);

  await blocker.query('DROP TRIGGER seen ON emails');
  expect((await blocker.query('SELECT DISTINCT synchronous_commit FROM seen_settings')).rows).toEqual([
    { synchronous_commit: 'on' },
  ]);
});

it('requests that need a locked table end with 503, other teams are served, and everything recovers', async () => {
  const known = await send('known@sink.test');
  const other = await addSecondTeam(program.postrider.app);
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE emails IN ACCESS EXCLUSIVE MODE');
  const blocked = [
    ...many(40, () => timed('/emails')),
    ...many(40, () => timed(`/emails/${known.id}`)),
    ...many(40, (n) => send(`blocked-${n}@sink.test`)),
  ];
  const others: TimedResponse[] = [];
  const isOver = Promise.allSettled(blocked).then(() => true);
  const headers = { authorization: `Bearer ${other.apiKey}` };
  while (!(await Promise.race([isOver, new Promise((soon) => setTimeout(() => soon(false), 50))]))) {
    others.push(await timed('/domains', { headers }), await timed('/webhooks', { headers }));
  }
  const responses = await Promise.all(blocked);
  await blocker.query('ROLLBACK');

  // Reads of the team that find no turn in time get 429.
  for (const { status, retryAfter } of responses) expect(['503 10', '429 5']).toContain(`${status} ${retryAfter}`);
  expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(maxBlockedMs);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(maxBlockedMs / 4);
  const after = await send('after@sink.test');
  expect(after.status).toBe(200);
  await until(() => transport.delivered.some(({ emailId }) => emailId === after.id));
});

it('a locked row delays only the requests that need it', async () => {
  await send('first@sink.test');
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM sending_usage FOR UPDATE');
  const responses = await Promise.all(many(10, (n) => send(`row-${n}@sink.test`)));
  const other = await timed('/emails');
  await blocker.query('ROLLBACK');

  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(maxBlockedMs);
  expect(other).toMatchObject({ status: 200 });
  expect((await send('after-row@sink.test')).status).toBe(200);
});
