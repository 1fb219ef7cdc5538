import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { lockDataDir, startEmbeddedPostgres } from '#postgres/embedded';
import { migrate } from '../../../apps/server/src/database/migrate.js';
import { clusterDirectory } from '../../../libs/postgres/src/embedded/cluster.js';
import { stopOrphan } from '../../../libs/postgres/src/embedded/orphan.js';
import { ADMIN_URL, databaseUrl, TEMPLATE } from './test-database.js';

const PREFIX = 'postrider-test-server-';
/** Bytes. */
const minMemory = 8 * 2 ** 30;

let stopServer: (() => Promise<void>) | undefined;

/**
 * One PostgreSQL for a whole run of Jest, with a migrated template for `createTestDatabase`. Its address is passed to the
 * workers in the environment. If the address is already set, the call for the next project does nothing.
 *
 * `DATABASE_URL_FOR_TESTS` uses a server that already runs; its user must be allowed to create databases.
 */
export async function startTestServer(): Promise<void> {
  if (process.env[ADMIN_URL] !== undefined) return;
  const given = process.env.DATABASE_URL_FOR_TESTS;
  const adminUrl = given ?? (await startTemporaryServer());
  const template = `postrider_template_${process.pid}_${Date.now().toString(36)}`;
  try {
    await onServer(adminUrl, `CREATE DATABASE ${template}`);
    if (given !== undefined) stopServer = () => onServer(adminUrl, `DROP DATABASE ${template} WITH (FORCE)`);
    await migrate(databaseUrl(adminUrl, template));
  } catch (error) {
    // Jest does not call the teardown then.
    await stopTestServer();
    throw error;
  }
  process.env[ADMIN_URL] = adminUrl;
  process.env[TEMPLATE] = template;
}

export async function stopTestServer(): Promise<void> {
  await stopServer?.();
  stopServer = undefined;
  delete process.env[ADMIN_URL];
  delete process.env[TEMPLATE];
}

async function startTemporaryServer(): Promise<string> {
  const parent = await directoryOfServers();
  await removeLeftovers(parent);
  const dataDir = await mkdtemp(join(parent, PREFIX));
  // A pooler that runs as PostgreSQL's user must reach the socket in it.
  await chmod(dataDir, 0o711);
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: {
      // No data outlives the run, so nothing needs to be flushed to the disk.
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      max_connections: '200',
      // Each look at a database of 360 tables takes 0.2 s of CPU, and few of them live longer than a minute.
      autovacuum_naptime: '60s',
    },
    onLog: () => {},
  });
  stopServer = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const interrupted = (): void => void stopServer?.().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  return server.url;
}

/**
 * Memory, where there is enough: a database from the template, of 3,000 files, then takes 0.06 s of CPU instead of 0.6
 * (ext4, 2 cores).
 */
async function directoryOfServers(): Promise<string> {
  const memory = '/dev/shm';
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > minMemory ? memory : tmpdir();
}

/** Cleans up after killed runs: the lock of their data directory is free, but their PostgreSQL may still run. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const dataDir = join(parent, name);
    // Used by another run, or owned by another user.
    const lock = await lockDataDir(dataDir).catch(() => undefined);
    if (lock === undefined) continue;
    await stopOrphan(clusterDirectory(dataDir), () => {});
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function onServer(adminUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
