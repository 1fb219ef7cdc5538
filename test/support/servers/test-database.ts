import { Client } from 'pg';

/** Environment variables by which the global setup passes the address of its server to the workers. */
export const ADMIN_URL = 'POSTRIDER_TEST_ADMIN_URL';
export const TEMPLATE = 'POSTRIDER_TEST_TEMPLATE';

export interface TestDatabase {
  readonly url: string;
  /** Ends connections that are still open. */
  drop(): Promise<void>;
}

let created = 0;

/**
 * Creates a migrated database for a test file.
 *
 * FILE_COPY takes a quarter of the CPU of WAL_LOG. Its two checkpoints, for which other workers wait, cost nearly nothing
 * without fsync.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env[ADMIN_URL];
  if (adminUrl === undefined) throw new Error('There is no test server: does this Jest project have the global setup?');
  const name = `postrider_test_${process.env.JEST_WORKER_ID ?? '0'}_${process.pid}_${Date.now().toString(36)}_${++created}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${process.env[TEMPLATE]} STRATEGY FILE_COPY`);
  } finally {
    await admin.end();
  }
  return { url: databaseUrl(adminUrl, name), drop: () => dropDatabase(adminUrl, name) };
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    // Waits five seconds for connections that are closing, because ending one by force would fail the test that runs then.
    const drop = `DROP DATABASE IF EXISTS ${name}`;
    await admin.query(drop).catch(() => admin.query(`${drop} WITH (FORCE)`));
  } finally {
    await admin.end();
  }
}

/** The same server, another database. */
export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}
