import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database, ReadDatabase } from '#postgres/database';
import { Counts, storedCounts } from '../../libs/insights/src/domain/metric.js';
import { MetricsRequest } from '../../libs/insights/src/domain/metrics-request.js';
import {
  deleteStatement,
  mergeShardsStatement,
} from '../../libs/insights/src/infrastructure/persistence/counts-statement.js';
import { PostgresEmailCounters } from '../../libs/insights/src/infrastructure/persistence/postgres-email-counters.js';
import { recordEvents, RecordedEvent } from '../support/fakes/recorded-events.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const hour = 3_600_000;
const teamId = newId();
const domainIds = [newId(), newId()];

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let counters: PostgresEmailCounters;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 8 });
  database = new Database(pool);
  counters = new PostgresEmailCounters(database, new ReadDatabase(pool));
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

beforeEach(() => database.execute({ text: 'TRUNCATE emails, email_events, email_counters' }));

async function addEmail(domainId = domainIds[0]): Promise<string> {
  const id = newId();
  await database.execute({
    text: `INSERT INTO emails (id, team_id, domain_id, api_key_id, created_at, size, event_seq, last_event, message_id,
                               "from", "to", subject)
           VALUES ($1, $2, $3, $1, now(), 1, 0, 'queued', '<a@b.test>', 'a@b.test', '{c@d.test}', 's')`,
    values: [id, teamId, domainId],
  });
  return id;
}

function asking(request: Partial<MetricsRequest> = {}): MetricsRequest {
  return {
    start: new Date(Date.now() - 24 * hour),
    end: new Date(Date.now() + hour),
    timeZone: 'UTC',
    granularity: 'hourly',
    metrics: [],
    dimensions: [],
    domainIds: undefined,
    emailIds: undefined,
    broadcastIds: undefined,
    ...request,
  };
}

const totals = async (request: Partial<MetricsRequest> = {}): Promise<Counts> =>
  (await counters.read(teamId, asking(request), 100)).totals;

/** Four events of different types for three recipients. */
function burst(seed: number): RecordedEvent[] {
  const kinds: Omit<RecordedEvent, 'recipientNo'>[] = [
    { type: 'email.sent' },
    { type: 'email.delivered' },
    { type: 'email.delivery_delayed' },
    { type: 'email.bounced', data: { bounce: { type: 'Permanent' } } },
    { type: 'email.bounced', data: { bounce: { type: 'Transient' } } },
    { type: 'email.bounced', data: { bounce: { type: 'Undetermined' } } },
    { type: 'email.opened', data: { open: { machine: seed % 2 === 0 } } },
    { type: 'email.clicked', data: { click: { link: 'https://acme.test' } } },
    { type: 'email.scheduled' },
  ];
  return [0, 1, 2, 3].map((step) => ({
    ...(kinds[(seed * 7 + step * 5) % kinds.length] as RecordedEvent),
    recipientNo: (seed + step) % 3,
  }));
}

it('concurrent writers lose no count: the counters equal a scan of the events', async () => {
  const ids = [await addEmail(), await addEmail(), await addEmail(domainIds[1]), await addEmail(domainIds[1])];
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; round < 40; round++) {
      await recordEvents(database, ids[(round + writer) % ids.length] as string, burst(round + writer * 3));
    }
  };

  await Promise.all([write(0), write(1), write(2)]);

  const counted = await totals();
  expect(counted).toEqual(await totals({ emailIds: ids }));
  expect(counted.sent).toBeGreaterThan(0);
  expect(counted.unique_opened).toBeGreaterThan(0);
  const [{ count } = { count: 0 }] = await database.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM email_events WHERE type <> 'email.scheduled'`,
  });
  const { unique_opened, unique_clicked, bounced_transient, bounced_permanent, ...once } = counted;
  expect(Object.values(once).reduce((sum, value) => sum + value, 0)).toBe(count);
  expect([unique_opened, unique_clicked].every((value) => value <= 12)).toBe(true);
  expect(bounced_transient + bounced_permanent).toBeLessThan(counted.bounced);
  for (const domain of domainIds) {
    const both = [await totals({ domainIds: [domain] }), await totals({ domainIds: [domain], emailIds: ids })];
    expect(both[0]).toEqual(both[1]);
  }
});

it('events of a rolled-back transaction are not counted', async () => {
  const id = await addEmail();
  const failing = database.run(async (transaction) => {
    await transaction.execute({
      text: `INSERT INTO email_events (email_id, seq, created_at, type) VALUES ($1, 1, now(), 'email.sent')`,
      values: [id],
    });
    throw new Error('stopped halfway');
  });
  await expect(failing).rejects.toThrow('stopped halfway');
  expect((await totals()).sent).toBe(0);
});

it.each([
  ['Asia/Kolkata', '2026-07-01T18:29:59Z', '2026-07-01T18:30:00Z'],
  ['Asia/Kathmandu', '2026-07-01T18:14:59Z', '2026-07-01T18:15:00Z'],
  ['Pacific/Chatham', '2026-07-01T11:14:59Z', '2026-07-01T11:15:00Z'],
  ['America/St_Johns', '2026-07-02T02:29:59Z', '2026-07-02T02:30:00Z'],
])('a day in %s begins at local midnight', async (timeZone, before, after) => {
  const id = await addEmail();
  const sent = (at: string): RecordedEvent => ({ type: 'email.sent', recipientNo: 0, createdAt: new Date(at) });
  await recordEvents(database, id, [sent(before), sent(after), sent(after)]);

  const { rows } = await counters.read(
    teamId,
    asking({
      start: new Date('2026-06-30T00:00:00Z'),
      end: new Date('2026-07-04T00:00:00Z'),
      timeZone,
      granularity: 'daily',
      dimensions: ['period'],
    }),
    100,
  );

  expect(rows.map(({ period, counts }) => [period, counts.sent])).toEqual([
    ['2026-07-01', 1],
    ['2026-07-02', 2],
  ]);
});

it('joining the shards changes no sum, and old counters are removed', async () => {
  const id = await addEmail();
  const old = new Date(Date.now() - 20 * hour);
  await Promise.all(
    [1, 2, 3, 4].map((seed) =>
      recordEvents(
        database,
        id,
        burst(seed).map((event) => ({ ...event, createdAt: old })),
      ),
    ),
  );
  const before = await totals();

  await counters.compact(new Date(Date.now() - hour), new Date(Date.now() - 23 * hour));

  expect(await totals()).toEqual(before);
  const shards = await database.query<{ shard: number }>({ text: 'SELECT shard FROM email_counters' });
  expect(shards).toEqual([{ shard: 0 }]);
  await counters.compact(new Date(), new Date(Date.now() - 19 * hour));
  expect(await totals()).toEqual(Object.fromEntries(storedCounts.map((name) => [name, 0])));
});

it('joining and removing counters read an index, not the whole table', async () => {
  const counts = storedCounts.join(', ');
  await database.execute({
    text: `INSERT INTO email_counters (team_id, quarter, domain_id, shard, ${counts})
           SELECT $1, date_bin('15 minutes', now(), 'epoch'::timestamptz) - n * interval '15 minutes', $2,
                  CASE WHEN n < 20 THEN n % 8 ELSE 0 END, ${storedCounts.map(() => '1').join(', ')}
           FROM generate_series(1, 20000) AS n`,
    values: [teamId, domainIds[0]],
  });
  await database.execute({ text: 'ANALYZE email_counters' });

  for (const { text, values } of [
    mergeShardsStatement(new Date(Date.now() - hour)),
    deleteStatement(new Date(Date.now() - 4_900 * hour)),
  ]) {
    const rows = await database.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Scan (using|on) email_counters_by_shard/);
    expect(plan).not.toContain('Seq Scan on email_counters');
  }
});
