import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { DailyPartitions, Database } from '#postgres/database';
import { Retention } from '#postgres/retention';
import { retentionLock } from '../../libs/postgres/src/retention/retention.js';
import { partitionedTables } from '../../apps/server/src/database/schemas.js';
import { lastEventOf } from '../support/builders/email-events.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { until } from '../support/runner/until.js';
import { inOneProcess } from '../support/programs/start-for-test.js';

const dayMs = 86_400_000;
const everythingButDate = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;
const realToday = Math.floor(Date.now() / dayMs) * dayMs;

/** Sets the date to noon of a day in the past. Timers run as usual. */
function itIsDaysAgo(days: number): void {
  jest.setSystemTime(realToday - days * dayMs + dayMs / 2);
}

function dayAgo(days: number): string {
  return new Date(realToday - days * dayMs).toISOString().slice(0, 10);
}

describe('retention', () => {
  let program: RecordingProgram;
  let dataDir: string;
  let retention: Retention;
  let database: Database;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'postrider-retention-'));
    jest.useFakeTimers({ doNotFake: [...everythingButDate] });
    itIsDaysAgo(40);
    program = await startRecordingProgram({
      ...inOneProcess,
      RETENTION_DAYS: '5',
      MESSAGE_STORE: 'directory',
      DATA_DIR: dataDir,
    });
    retention = program.postrider.app.get(Retention, { strict: false });
    database = program.postrider.app.get(Database, { strict: false });
    const partitions = program.postrider.app.get(DailyPartitions, { strict: false });
    for (let day = 40; day > 0; day -= 3) {
      await partitions.ensure(partitionedTables, new Date(realToday - day * dayMs), 0);
    }
  });
  afterAll(async () => {
    await program.stop();
    jest.useRealTimers();
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = async (daysAgo: number, subject: string, scheduledDaysAgo?: number): Promise<string> => {
    itIsDaysAgo(daysAgo);
    const scheduled_at = scheduledDaysAgo === undefined ? undefined : `${dayAgo(scheduledDaysAgo)}T12:00:00Z`;
    const response = await program.request('/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(anEmail({ subject, scheduled_at })),
    });
    const { id } = (await response.json()) as { id: string };
    if (scheduled_at === undefined) await lastEventOf(program, id, 'delivered');
    return id;
  };
  const partitionsOf = async (day: number): Promise<string[]> => {
    const suffix = dayAgo(day).replaceAll('-', '');
    const rows = await database.query<{ name: string }>({
      text: `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE '%' || $1 ORDER BY 1`,
      values: [`_p${suffix}`],
    });
    return rows.map(({ name }) => name.slice(0, -10));
  };
  const emailTables = partitionedTables
    .filter(({ history }) => history === 'emails')
    .map(({ name }) => name)
    .sort();
  const statusesOf = (id: string): Promise<number[]> =>
    Promise.all(
      ['', '/events', '/trace', '/attachments'].map(
        async (path) => (await program.request(`/emails/${id}${path}`)).status,
      ),
    );

  it('wide rows that are written once are not vacuumed for that, nor sampled, but lose dead versions as others do', async () => {
    const rows = await database.query<{ name: string; options: string[] }>({
      text: `SELECT relname AS name, reloptions AS options FROM pg_class WHERE relkind = 'r' AND relname ~ $1`,
      values: ['^(?:message_contents|request_logs|delivery_attempts)_p\\d{8}$'],
    });
    expect(new Set(rows.map(({ name }) => name.slice(0, -10)))).toHaveProperty('size', 3);
    for (const { name, options } of rows) {
      expect(options).toContain('autovacuum_vacuum_insert_threshold=-1');
      expect(options.some((option) => /^autovacuum_(?:enabled|vacuum_threshold)=/.test(option))).toBe(false);
      const isSampled = !options.includes('autovacuum_analyze_threshold=2000000000');
      expect(isSampled).toBe(name.startsWith('delivery_attempts'));
    }
  });

  it('drops expired days, except one with an email that is not yet sent or was delivered recently', async () => {
    const old = await send(40, 'old');
    const waiting = await send(39, 'waiting', 18);
    const neighbour = await send(39, 'neighbour');
    const recent = await send(20, 'recent');
    expect(await statusesOf(old)).toEqual([200, 200, 200, 200]);

    const report = await retention.run();
    expect(report?.keptDays).toEqual([dayAgo(39)]);
    for (const gone of [40, 38, 30, 26]) expect(await partitionsOf(gone)).toEqual([]);
    expect(await partitionsOf(39)).toEqual(emailTables);
    for (const kept of [25, 24, 20]) expect(await partitionsOf(kept)).toHaveLength(partitionedTables.length);
    expect(await statusesOf(old)).toEqual(await statusesOf('0190c2a4-0000-7000-8000-000000000000'));
    expect(await statusesOf(old)).toEqual([404, 404, 404, 404]);
    for (const id of [waiting, neighbour, recent]) expect(await statusesOf(id)).toEqual([200, 200, 200, 200]);
    expect((await readdir(join(dataDir, 'messages'))).sort()).toEqual([dayAgo(39), dayAgo(20)]);

    expect(program.delivered('waiting')).toBe(0);
    itIsDaysAgo(18);
    await until(() => program.delivered('waiting') === 1);
    await lastEventOf(program, waiting, 'delivered');
    for (const daysAgo of [18, 13]) {
      itIsDaysAgo(daysAgo);
      expect((await retention.run())?.keptDays).toEqual([dayAgo(39)]);
      for (const id of [waiting, neighbour]) expect(await statusesOf(id)).toEqual([200, 200, 200, 200]);
    }
    // It is opened on its last day, which does not keep it longer.
    await database.execute({
      text: `INSERT INTO email_events (email_id, seq, recipient_no, created_at, type) VALUES ($1, 99, 0, $2, 'email.opened')`,
      values: [waiting, new Date()],
    });
    itIsDaysAgo(12);
    expect((await retention.run())?.keptDays).toEqual([]);
    expect(await statusesOf(waiting)).toEqual([404, 404, 404, 404]);
    expect(await partitionsOf(39)).toEqual([]);
    expect(await readdir(join(dataDir, 'messages'))).toEqual([]);
  });

  it('is done by one process at a time', async () => {
    const other = new Client({ connectionString: program.database.url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [retentionLock]);
    expect(await retention.run()).toBeUndefined();
    await other.end();
    expect(await until(() => retention.run())).toBeDefined();
  });

  it('does not block mail while it waits for a reader, and continues where it was interrupted', async () => {
    itIsDaysAgo(11);
    const reader = new Client({ connectionString: program.database.url });
    await reader.connect();
    try {
      await reader.query('BEGIN');
      await reader.query('SELECT count(*) FROM emails');
      const attempt = retention.run().then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
      await until(async () => {
        const rows = await database.query({ text: `SELECT 1 FROM pg_inherits WHERE inhdetachpending` });
        return rows.length > 0;
      });
      await send(11, 'meanwhile');
      expect(await attempt).toBe('55P03');
      await reader.query('COMMIT');
    } finally {
      await reader.end();
    }
    const before = Date.now() - 6 * dayMs;
    expect((await retention.run())?.droppedPartitions).toBeGreaterThan(0);
    const left = await program.postrider.app.get(DailyPartitions, { strict: false }).list(partitionedTables);
    expect(left.filter(({ day }) => day.getTime() < before)).toEqual([]);
  });

  it('drops a detached partition that was left over', async () => {
    itIsDaysAgo(10);
    const name = `recipients_p${dayAgo(16).replaceAll('-', '')}`;
    await database.execute({ text: `ALTER TABLE recipients DETACH PARTITION ${name}` });
    await retention.run();
    expect(await partitionsOf(16)).toEqual([]);
  });

  it('removes old usage counters and pauses that ended long ago', async () => {
    itIsDaysAgo(0);
    await database.execute({
      text: `INSERT INTO sending_usage (team_id, period)
             SELECT gen_random_uuid(), p FROM unnest(ARRAY['2020-01-01', '2020-01', $1, $2]) AS p`,
      values: [dayAgo(0), dayAgo(0).slice(0, 7)],
    });
    await database.execute({
      text: `INSERT INTO lane_pauses VALUES ('gone.test', now(), now() - interval '2 days', 3, 'x'),
                                            ('down.test', now(), now() + interval '2 days', 3, 'x')`,
    });
    await retention.run();
    const old = await database.query({ text: `SELECT 1 FROM sending_usage WHERE period LIKE '2020%'` });
    const today = await database.query({ text: 'SELECT 1 FROM sending_usage WHERE period = $1', values: [dayAgo(0)] });
    expect([old.length, today.length]).toEqual([0, 1]);
    expect(await database.query({ text: 'SELECT lane FROM lane_pauses' })).toEqual([{ lane: 'down.test' }]);
  });
});
