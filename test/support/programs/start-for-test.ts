import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Postrider, startPostrider } from '../../../apps/server/src/postrider.js';
import { isSameServer, pooledUrl } from '../servers/pgbouncer.js';
import { startProgramProcess } from './program-process.js';
import { ADMIN_URL } from '../servers/test-database.js';
import { until } from '../runner/until.js';

type Environment = Readonly<Record<string, string>>;

/**
 * The variants in which the tests run the program: `E2E_REDIS_URL` puts its queues and rate limits on that Redis,
 * `E2E_PGBOUNCER_PORT` connects it to PostgreSQL through a PgBouncer, and `E2E_ROLES=split` runs the worker role in a
 * separate program. If a test sets ROLES itself, that value is used.
 */
const isSplit = process.env.E2E_ROLES === 'split';
const redisDatabases = 10_000;

/** For a test that needs the worker in the same process, or reads the metrics of its process. */
export const inOneProcess = { ROLES: 'api,smtp,inbound,worker' };

/** Programs on one database share one database of Redis. */
export function redisEnvironment(databaseUrl: string): Record<string, string> {
  const server = process.env.E2E_REDIS_URL;
  if (server === undefined) return {};
  const number = createHash('sha256').update(databaseUrl).digest().readUInt32BE() % redisDatabases;
  return { REDIS_URL: `${server}/${number}` };
}

/**
 * Half of what a program may have otherwise: each connection is a process of PostgreSQL that plans every statement for
 * itself. With the default of 16 the server takes 5.6 s of CPU for a program that starts, waits 15 s, takes 55 emails and
 * stops; with 8 it takes 4.0 s. Programs in processes of their own, which tests attack and kill, keep the default.
 */
const testPool = { DATABASE_POOL: '8' };

/** Environment variables of the database. A test's private PostgreSQL has no pooler. */
export function databaseEnvironment(databaseUrl: string): Record<string, string> {
  const { E2E_PGBOUNCER_PORT: pooler, [ADMIN_URL]: adminUrl = databaseUrl } = process.env;
  const hasPooler = pooler !== undefined && isSameServer(databaseUrl, adminUrl);
  if (!hasPooler) return { DATABASE_URL: databaseUrl };
  return { DATABASE_URL: pooledUrl(databaseUrl, pooler), DATABASE_DIRECT_URL: databaseUrl };
}

/** Deletes all jobs of the programs on this database. */
export async function emptyRedis(databaseUrl: string): Promise<void> {
  const client = new Redis(redisEnvironment(databaseUrl).REDIS_URL as string);
  await until(async () => (await client.dbsize()) > 0);
  await client.flushdb();
  client.disconnect();
}

/** For a test that starts the built program itself. */
export const processEnvironment: Record<string, string> = isSplit ? { WORKERS: '1' } : {};

/** Starts the program in this process, with a separate worker if this run splits the roles. */
export async function startForTest(environment: Environment, adapters: Adapters): Promise<Postrider> {
  const { DATABASE_URL: given, DATABASE_DIRECT_URL: directUrl = given } = environment;
  const whole =
    directUrl === undefined
      ? environment
      : { ...redisEnvironment(directUrl), ...testPool, ...environment, ...databaseEnvironment(directUrl) };
  if (!isSplit || whole.ROLES !== undefined) return startPostrider({ config: readConfig(whole), adapters });
  const doors = await startPostrider({ config: readConfig({ ...whole, ROLES: 'api,smtp,inbound' }), adapters });
  try {
    const worker = await startWorker(whole, adapters);
    return { ...doors, stop: async () => void (await Promise.all([doors.stop(), worker.stop()])) };
  } catch (error) {
    await doors.stop();
    throw error;
  }
}

/** The separate worker is a second program in this process, because it uses the adapters of the test. */
function startWorker(whole: Environment, adapters: Adapters): Promise<{ stop(): Promise<unknown> }> {
  const environment = { ...whole, ROLES: 'worker', SMTP_LISTEN: 'none', HTTP_PORT: '0', DOCTOR_LISTEN: '' };
  return adapters.isEmpty
    ? startProgramProcess(environment)
    : startPostrider({ config: readConfig(environment), adapters });
}
