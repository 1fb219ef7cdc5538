import { PgBouncer } from './pgbouncer.js';
import { ADMIN_URL } from './test-database.js';

let server: PgBouncer | undefined;

/** One PgBouncer for the server of a whole run of Jest, if `E2E_PGBOUNCER=start` is set. */
export async function startTestPgBouncer(): Promise<void> {
  if (process.env.E2E_PGBOUNCER !== 'start' || process.env.E2E_PGBOUNCER_PORT !== undefined) return;
  server = await PgBouncer.start(process.env[ADMIN_URL] as string);
  process.env.E2E_PGBOUNCER_PORT = String(server.port);
}

export async function stopTestPgBouncer(): Promise<void> {
  if (server === undefined) return;
  delete process.env.E2E_PGBOUNCER_PORT;
  await server.stop();
  server = undefined;
}
