import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { readPostmasterPidFile } from './processes.js';
import { Postmaster, PostmasterExit } from './postmaster.js';

const DEADLINE_MS = 60_000;
const POLL_MS = 10;

/**
 * Waits until PostgreSQL accepts connections. Rejects when it ends or does not become ready.
 *
 * Its status file is read first, as in pg_ctl: connecting earlier fills its log with FATAL lines. Recovery after a
 * crash may take long, and there is no time limit while it is running.
 *
 * @param adminUrl URL of the database `postgres`, which always exists.
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

/** A server that stops reports an error on each connection, even on one that is closing. The statements fail anyway. */
const ignored = (): void => undefined;

/** Creates the database if it does not exist: the first start may have been interrupted before. */
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
   * Whether another start may succeed. Sessions of a server that was killed with SIGKILL still hold its shared memory
   * until they notice and end. Or another program took the port after it was selected and before PostgreSQL used it.
   */
  get isTemporary(): boolean {
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
    // Class 28: the password is wrong, so waiting does not help.
    if (code?.startsWith('28')) throw new EmbeddedPostgresError(`PostgreSQL refuses its own user: ${message}.`);
    return message;
  } finally {
    await client.end().catch(() => {});
  }
}
