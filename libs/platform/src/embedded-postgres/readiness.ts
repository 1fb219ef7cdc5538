import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { readPostmasterPidFile } from './postmaster-pid-file.js';
import { Postmaster, PostmasterExit } from './postmaster.js';

const DEADLINE_MS = 60_000;
const POLL_MS = 10;

/**
 * Waits until PostgreSQL takes connections, or rejects when it ends or does not come up.
 *
 * Its status file is asked first, as pg_ctl does: connecting earlier fills its log with FATAL lines. Recovery after a
 * crash may take long and is waited for as long as it goes on.
 *
 * @param adminUrl of the database `postgres`, which is always there.
 */
export async function untilReady(postmaster: Postmaster, clusterDir: string, adminUrl: string): Promise<void> {
  const progress = { ended: undefined as PostmasterExit | undefined };
  void postmaster.exited.then((exit) => (progress.ended = exit));
  let deadline = performance.now() + DEADLINE_MS;
  let trouble = 'it did not report that it is ready';
  for (;;) {
    if (progress.ended !== undefined) throw new PostgresEndedError(progress.ended);
    if (performance.now() > deadline) throw new EmbeddedPostgresError(`PostgreSQL did not start: ${trouble}.`);
    const status = (await readPostmasterPidFile(clusterDir))?.status;
    if (status === 'starting') deadline = performance.now() + DEADLINE_MS;
    if (status === 'ready') {
      const refusal = await connectionRefusal(adminUrl);
      if (refusal === undefined) return;
      trouble = refusal;
    }
    await delay(POLL_MS);
  }
}

/** A server that dies says so to each connection, one that is closing included; what was asked of it fails anyway. */
const ignored = (): void => undefined;

/** Creates the database unless it is there: the first start may have been cut short just before. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  client.on('error', ignored);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
}

export class PostgresEndedError extends EmbeddedPostgresError {
  constructor(readonly exit: PostmasterExit) {
    super(`PostgreSQL ended while starting (${exit.signal ?? `exit code ${exit.code}`}): ${exit.log}`);
  }

  /**
   * Sessions of a server that was killed with SIGKILL still hold its shared memory; they notice and go by themselves.
   * The other reason is a port that somebody took between our choice and PostgreSQL's.
   */
  get passes(): boolean {
    return /pre-existing shared memory block|could not create any TCP\/IP sockets/.test(this.exit.log);
  }
}

async function connectionRefusal(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', ignored);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // 28: the password is wrong, and waiting does not mend it.
    if (code?.startsWith('28')) throw new EmbeddedPostgresError(`PostgreSQL refuses its own user: ${message}.`);
    return message;
  } finally {
    await client.end().catch(() => {});
  }
}
