import { once } from 'node:events';
import { AddressInfo, createServer, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { Client, Pool } from 'pg';
import { Metrics } from '#observability/metrics';
import { Database, ReadDatabase, SlowReadError, Standby } from '#postgres/database';
import { until } from '../support/runner/until.js';
import { PostgresPair } from '../support/servers/postgres-pair.js';

let postgres: PostgresPair;
let pool: Pool;
let primary: Database;
let reads: ReadDatabase;
let standby: Standby;
let onStandby: Client;
const logged: string[] = [];

const log = (_: object, message: string): void => void logged.push(message);
const isByStandby = async (): Promise<boolean> => {
  const [row] = await reads.query<{ by: boolean }>({ text: 'SELECT pg_is_in_recovery() AS by' });
  return row?.by === true;
};
const write = (id: number): Promise<unknown> =>
  primary.execute({
    text: `INSERT INTO notices (key, subject, text, created_at, due_at) VALUES ($1, '', '', now(), now())`,
    values: [`notice-${id}`],
  });
const isRead = async (id: number): Promise<boolean> =>
  (await reads.query({ text: 'SELECT FROM notices WHERE key = $1', values: [`notice-${id}`] })).length === 1;

beforeAll(async () => {
  postgres = await PostgresPair.start();
  pool = new Pool({ connectionString: postgres.primary.url, max: 4 });
  primary = new Database(pool);
  onStandby = new Client({ connectionString: postgres.standby.url });
  await onStandby.connect();
  onStandby.on('error', () => undefined);
}, 120_000);

beforeEach(() => {
  standby = new Standby(
    primary,
    new Pool({ connectionString: postgres.standby.url, max: 4 }),
    {
      info: log,
      warn: log,
    },
    new Metrics(),
  );
  reads = new ReadDatabase(pool, undefined, primary, standby);
});

afterAll(async () => {
  await onStandby.end();
  await pool.end();
  await postgres.close();
});

it('a standby answers reads, and each of them sees what was committed before it', async () => {
  let byStandby = 0;
  for (let id = 0; byStandby < 50; id++) {
    await write(id);
    expect(await Promise.all([isRead(id), isRead(id)])).toEqual([true, true]);
    if (await isByStandby()) byStandby++;
  }
  const limits = { statementMs: 50, lockMs: 50, idleInTransactionMs: 1_000 };
  await expect(reads.query({ text: 'SELECT pg_sleep(20)', limits })).rejects.toThrow(SlowReadError);
  await standby.onApplicationShutdown();
});

it('the primary answers while the standby is behind, and reads stay as new as what was written', async () => {
  // A commit waits until the standby has it on its disk, not until it can be read there.
  await onStandby.query('SELECT pg_wal_replay_pause()');
  const paused = `SELECT FROM pg_get_wal_replay_pause_state() AS state WHERE state = 'paused'`;
  await until(async () => (await onStandby.query(paused)).rowCount === 1);
  await write(-1);
  expect(await isRead(-1)).toBe(true);
  expect(await isByStandby()).toBe(false);
  await onStandby.query('SELECT pg_wal_replay_resume()');
  await until(isByStandby, 10_000);
  expect(await isRead(-1)).toBe(true);
  await standby.onApplicationShutdown();
});

it('the primary answers while the standby follows another primary, however far that one is', async () => {
  await until(isByStandby);
  // One that has taken over, so that its log goes on from an earlier position on a timeline of its own.
  const takenOver = new Database(pool);
  const query = takenOver.query.bind(takenOver);
  jest
    .spyOn(takenOver, 'query')
    .mockImplementation(async (statement) =>
      statement.text.includes('wal') ? ([{ position: 0, timeline: 2 }] as never[]) : query(statement),
    );
  const readers = new Pool({ connectionString: postgres.standby.url, max: 4 });
  await readers.query('SELECT');
  const other = new Standby(takenOver, readers, { info: log, warn: log }, new Metrics());
  reads = new ReadDatabase(pool, undefined, takenOver, other);
  expect(await isByStandby()).toBe(false);
  await other.onApplicationShutdown();
  await standby.onApplicationShutdown();
});

it('the primary answers once the standby follows nobody or is gone', async () => {
  await until(isByStandby);
  // It has taken over, so that both could be written to.
  await postgres.promote();
  await until(async () => !(await isByStandby()));
  await onStandby.query(
    `INSERT INTO notices (key, subject, text, created_at, due_at) VALUES ('other', '', '', now(), now())`,
  );
  expect(await reads.query({ text: `SELECT FROM notices WHERE key = 'other'` })).toEqual([]);
  expect(logged).toEqual([]);
  await standby.onApplicationShutdown();

  const gone = new Pool({ connectionString: 'postgres://postrider:secret@127.0.0.1:9/postrider', max: 4 });
  reads = new ReadDatabase(
    pool,
    undefined,
    primary,
    new Standby(primary, gone, { info: log, warn: log }, new Metrics()),
  );
  expect(await Promise.all([isRead(1), isRead(2), isRead(-2)])).toEqual([true, true, false]);
  expect(logged).toEqual(['the standby cannot be asked; the primary answers reads']);
  await gone.end();
});

it('the primary answers while the standby is silent', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const asked = new Pool({ connectionString: `postgres://postrider:secret@127.0.0.1:${port}/postrider`, max: 4 });
  reads = new ReadDatabase(
    pool,
    undefined,
    primary,
    new Standby(primary, asked, { info: log, warn: log }, new Metrics()),
  );
  expect(await Promise.all([isRead(1), isRead(2), isRead(-2)])).toEqual([true, true, false]);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await asked.end();
}, 20_000);
