import { setTimeout } from 'node:timers/promises';
import { runMigrations as migrateQueues } from 'bullmq';
import { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import {
  DailyPartitions,
  Database,
  installDefinitions,
  NewerDefinitionsError,
  serverOf,
  watchfulConnection,
} from '#postgres/database';
import { migrations } from './migrations/index.js';
import { definitions, partitionDaysAhead, partitionedTables } from './schemas.js';

/** The database was migrated by a newer version of the program. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database is newer than this program: it has ${unknown.join(', ')}. Start the newer Postrider again; ` +
        'processes of the older version that are running may finish, and cannot be started any more.',
    );
  }
}

/** The database cannot tell letters of other scripts. */
export class DatabaseEncodingError extends Error {
  constructor(problem: string) {
    super(
      `${problem} Postrider compares names and addresses in every script, so it needs a database with the encoding UTF8, ` +
        `on a PostgreSQL with ICU: CREATE DATABASE postrider ENCODING 'UTF8' TEMPLATE template0. What another database has ` +
        'can be dumped and restored into it.',
    );
  }
}

/**
 * A migration that waits for a lock blocks all later statements on that table. It therefore fails soon, and the start
 * can be repeated. The statements themselves may take long, depending on the size of the tables.
 */
const migrationLimits = {
  ...watchfulConnection,
  // One day. 0 (no limit) would not be sent by `pg`, and a shorter default of the role or database would then apply.
  statement_timeout: 86_400_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** An arbitrary constant: every starting process must take the same lock. */
const migrationLock = 7_663_001;
const retryMs = 50;

/**
 * Brings the schema up to date, with the SQL definitions of the libs and BullMQ's tables, and creates the partitions of the
 * next days. Processes that start together take turns. If the database has migrations that this program does not know, it
 * is newer than the program: nothing is changed and NewerSchemaError is thrown.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const pool = new Pool({ ...serverOf(databaseUrl), max: 2, pipeline: true, ...migrationLimits });
  pool.on('error', () => undefined);
  try {
    const session = await pool.connect();
    session.on('error', () => undefined);
    try {
      await refuseEncoding(session);
      await takeTurn(session);
      await migrateTables(databaseUrl);
      await installSql(session);
      await migrateQueues(session);
      await new DailyPartitions(new Database(pool)).ensure(partitionedTables, new Date(), partitionDaysAhead);
    } finally {
      // Ending the session releases the lock, whatever state it is in.
      session.release(true);
    }
  } finally {
    await pool.end();
  }
}

/**
 * The names of the migrations that `migrate` would run, in their order. Throws where it would, but for newer SQL definitions.
 */
export async function pendingMigrations(databaseUrl: string): Promise<readonly string[]> {
  const pool = new Pool({ ...serverOf(databaseUrl), max: 1, ...watchfulConnection });
  pool.on('error', () => undefined);
  try {
    await pool.query('SET default_transaction_read_only = on');
    await refuseEncoding(pool);
    const applied = await appliedMigrations(async (text) => (await pool.query<{ name: string }>(text)).rows);
    return migrationNames.filter((name) => !applied.has(name));
  } finally {
    await pool.end();
  }
}

const migrationNames = migrations.map(({ name }) => name);

/**
 * Polls for the lock. Waiting within a statement would hold a snapshot, and CREATE INDEX CONCURRENTLY in the process
 * that has the lock would wait for that snapshot: a deadlock.
 */
async function takeTurn(session: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [migrationLock]);
    if (rows[0]?.mine === true) return;
    await setTimeout(retryMs);
  }
}

async function refuseEncoding(session: Pool | PoolClient): Promise<void> {
  const { rows } = await session.query<{ encoding: string; hasIcu: boolean }>(
    `SELECT current_setting('server_encoding') AS encoding,
            EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS "hasIcu"`,
  );
  const [{ encoding, hasIcu } = { encoding: '', hasIcu: false }] = rows;
  if (encoding !== 'UTF8') throw new DatabaseEncodingError(`The encoding of the database is ${encoding}.`);
  if (!hasIcu) throw new DatabaseEncodingError('This PostgreSQL was built without ICU.');
}

async function installSql(session: PoolClient): Promise<void> {
  try {
    await installDefinitions(session, definitions);
  } catch (error) {
    if (!(error instanceof NewerDefinitionsError)) throw error;
    throw new NewerSchemaError(error.names.map((name) => `a later ${name}`));
  }
}

async function migrateTables(databaseUrl: string): Promise<void> {
  const server = serverOf(databaseUrl);
  const dataSource = new DataSource({
    type: 'postgres',
    url: server.connectionString,
    migrations,
    logging: false,
    poolSize: 1,
    extra: { ...server, ...migrationLimits },
  });
  await dataSource.initialize();
  try {
    await appliedMigrations((text) => dataSource.query<{ name: string }[]>(text));
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

/** Those that the database has had. Throws if this program does not know one of them. */
async function appliedMigrations(
  query: (text: string) => Promise<readonly { readonly name: string }[]>,
): Promise<ReadonlySet<string>> {
  const [table] = await query(`SELECT 'migrations' AS name WHERE to_regclass('migrations') IS NOT NULL`);
  const applied = table === undefined ? [] : await query('SELECT name FROM migrations ORDER BY id');
  const unknown = applied.map(({ name }) => name).filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  return new Set(applied.map(({ name }) => name));
}
