import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock, firstIdAt } from '#kernel';
import { Adapters } from '#platform/adapters';
import { ProcessNotifications, Database } from '#postgres/database';
import { partitionedTables } from '../../../apps/server/src/database/schemas.js';
import { Postrider } from '../../../apps/server/src/postrider.js';
import { DnsServer } from '../servers/dns-server.js';
import { FakeClock } from '../fakes/fake-clock.js';
import { addSecondTeam } from './second-team.js';
import { startForTest } from './start-for-test.js';
import { createTestDatabase, TestDatabase } from '../servers/test-database.js';
import { until } from '../runner/until.js';
import type { ParsedJson } from '../runner/parsed-json.js';

const day = 86_400_000;
export const serviceHost = 'mail.service.test';

/** The whole program with its own DNS server on loopback, a clock that tests move, and a transport that keeps the mail. */
export interface DomainsProgram {
  readonly postrider: Postrider;
  readonly database: TestDatabase;
  readonly dns: DnsServer;
  readonly clock: FakeClock;
  readonly transport: InMemoryDeliveryTransport;
  readonly resend: Resend;
  readonly apiKey: string;
  /** Another team's client. */
  readonly other: Resend;
  readonly otherKey: string;
  call(method: string, path: string, options?: { body?: unknown; key?: string }): Promise<ApiResponse>;
  /** Moves the clock and makes the program do the work that has become due. */
  advance(ms: number): Promise<void>;
  /** Our own, finer status: `state`. */
  statusOf(id: string): Promise<string>;
  /** Resolves when the domain has this status. */
  becomes(id: string, status: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: ParsedJson;
}

export async function startDomainsProgram(environment: Record<string, string> = {}): Promise<DomainsProgram> {
  const [database, dns, dataDir] = await Promise.all([
    createTestDatabase(),
    DnsServer.listen(),
    mkdtemp(join(tmpdir(), 'postrider-domains-')),
  ]);
  dns.a(serviceHost, '192.0.2.1');
  // In the past, so that a clock that jumps by days stays behind the database's clock, which decides when mail is due.
  const clock = new FakeClock(new Date(Date.now() - 200 * day));
  const transport = new InMemoryDeliveryTransport();
  const postrider = await startForTest(
    {
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: dataDir,
      HTTP_PORT: '0',
      LOG_LEVEL: 'fatal',
      HOST_NAME: serviceHost,
      DNS_SERVERS: dns.address,
      ...environment,
    },
    new Adapters().use(Clock, clock).use(DeliveryTransport, transport),
  );
  await addPastPartitions(postrider.app.get(Database), clock.now());
  const apiKey = postrider.firstStart?.apiKey ?? '';
  const otherKey = (await addSecondTeam(postrider.app)).apiKey;
  const client = (key: string): Resend => new Resend(key, { baseUrl: postrider.url });
  const call: DomainsProgram['call'] = async (method, path, { body, key = apiKey } = {}) => {
    const response = await fetch(`${postrider.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const statusOf = async (id: string): Promise<string> => (await call('GET', `/domains/${id}`)).body.state as string;
  return {
    postrider,
    database,
    dns,
    clock,
    transport,
    resend: client(apiKey),
    apiKey,
    other: client(otherKey),
    otherKey,
    call,
    advance: async (ms) => {
      clock.advance(ms);
      await postrider.app.get(ProcessNotifications).send('domains', '');
    },
    statusOf,
    becomes: async (id, status) => {
      await until(async () => (await statusOf(id)) === status);
    },
    stop: async () => {
      await postrider.stop();
      await Promise.all([dns.close(), database.drop(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}

/**
 * Adds one partition for all days before the first partition of the database, which may have been created before
 * midnight.
 */
async function addPastPartitions(database: Database, from: Date): Promise<void> {
  for (const { name } of partitionedTables) {
    const [oldest] = await database.query<{ day: string }>({
      text: `SELECT min(right(inhrelid::regclass::text, 8)) AS day FROM pg_inherits WHERE inhparent = '${name}'::regclass`,
    });
    const to = new Date(oldest?.day.replace(/(....)(..)(..)/, '$1-$2-$3') ?? NaN);
    await database.execute({
      text: `CREATE TABLE ${name}_past PARTITION OF ${name} FOR VALUES FROM ('${firstIdAt(from)}') TO ('${firstIdAt(to)}')`,
    });
  }
}
