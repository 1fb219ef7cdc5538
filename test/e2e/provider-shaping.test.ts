import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { NarrowMailServer } from '../support/servers/narrow-mail-server.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';

interface Limit {
  readonly profile: string;
  readonly connections: { readonly current: number; readonly most: number };
  readonly messages_per_minute: { readonly current: number; readonly most: number };
}

interface TracedRecipient {
  readonly status: string;
  readonly held_by: {
    readonly kind: string;
    readonly until: string | null;
    readonly reason: string;
    readonly limit: Limit | null;
  } | null;
  readonly attempts: readonly { readonly outcome: string }[];
}

const dns = new InMemoryDnsResolver();
const emails = 50;
let directory: string;
let wide: SmtpSink;
let narrow: NarrowMailServer;
let program: TestProgram;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-shaping-'));
  wide = await SmtpSink.listen({ host: '127.0.0.2' });
  narrow = await NarrowMailServer.listen('127.0.0.3', wide.port, 2);
  dns.set('wide.test', { a: ['127.0.0.2'] });
  dns.set('narrow.test', { a: ['127.0.0.3'] });
  dns.set('slow.test', { mx: [{ exchange: 'mx.slow.test', preference: 10 }] });
  dns.set('mx.slow.test', { a: ['127.0.0.2'] });
  await writeRules({ limits: [{ hosts: 'mx.slow.test', messages_per_minute: 6 }] });
  program = await startShaped();
});

afterAll(async () => {
  narrow.release();
  await program.stop();
  await Promise.all([wide.close(), narrow.close(), rm(directory, { recursive: true })]);
});

function startShaped(environment: Record<string, string> = {}, database?: TestDatabase): Promise<TestProgram> {
  return startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(wide.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
      ROUTES_FILE: join(directory, 'routes.json'),
      ...environment,
    },
    new Adapters().use(DnsResolver, dns),
    database,
  );
}

function writeRules(rules: object): Promise<void> {
  return writeFile(join(directory, 'routes.json'), JSON.stringify(rules));
}

async function sent(count: number, domain: string): Promise<string[]> {
  const { data } = await program.resend.batch.send(
    Array.from({ length: count }, (_, index) => ({
      from: testSender,
      to: `u${index}@${domain}`,
      subject: 'Hello',
      text: 'Hi',
    })),
  );
  return data?.data.map(({ id }) => id) ?? [];
}

async function traced(ids: readonly string[]): Promise<TracedRecipient[]> {
  const traces = await Promise.all(
    ids.map(
      async (id) => (await (await program.request(`/emails/${id}/trace`)).json()) as { recipients: TracedRecipient[] },
    ),
  );
  return traces.flatMap(({ recipients }) => recipients);
}

it('a site that replies 421 gets fewer connections, other sites keep their rate, and the trace of waiting mail names the limit', async () => {
  const ids = await sent(emails, 'narrow.test');
  const others = await sent(emails, 'wide.test');
  expect([ids.length, others.length]).toEqual([emails, emails]);

  await until(() => wide.count === emails);
  const waiting = await until(async () => {
    const recipients = await traced(ids);
    return recipients.every(({ held_by }) => /narrowed from/.test(held_by?.reason ?? '')) && recipients;
  });
  expect(narrow.count).toBe(0);
  for (const { held_by } of waiting) {
    expect(held_by?.kind).toBe('connection_limit');
    expect(held_by?.reason).toMatch(/connections: [12] of profile default, narrowed from 5/);
    expect(held_by?.limit).toMatchObject({ profile: 'default', connections: { most: 5 } });
    expect(held_by?.limit?.connections.current).toBeLessThanOrEqual(2);
  }

  narrow.release();
  const ends = await until(async () => {
    const recipients = await traced(ids);
    return recipients.every(({ status }) => status === 'delivered') && recipients;
  });
  expect(ends.flatMap(({ attempts }) => attempts)).toHaveLength(emails);
  expect(narrow.count).toBe(emails);
});

it('the trace of mail that waits for the rate of its site says so, and a higher limit takes effect at once', async () => {
  const before = wide.count;
  const ids = await sent(10, 'slow.test');
  const [held] = await until(async () => {
    const limited = (await traced(ids)).filter(({ held_by }) => held_by?.kind === 'rate_limit');
    return limited.length > 4 && limited;
  });
  expect(held?.held_by?.reason).toContain('messages per minute: 6 of profile mx.slow.test');
  expect(held?.held_by?.limit).toMatchObject({ messages_per_minute: { current: 6, most: 6 } });

  await writeRules({});
  await until(async () => {
    // The program checks the file at most once a second, when there is mail.
    await sent(1, 'slow.test');
    return wide.count > before + 10 + 4;
  });
  await until(async () => (await traced(ids)).every(({ status }) => status === 'delivered'));
});

it('a program that stops returns mail that waits for the rate of its site as if it had never been tried', async () => {
  await writeRules({ limits: [{ hosts: 'mx.stopping.test', messages_per_minute: 1 }] });
  dns.set('stopping.test', { mx: [{ exchange: 'mx.stopping.test', preference: 10 }] });
  dns.set('mx.stopping.test', { a: ['127.0.0.2'] });
  const own = await createTestDatabase();
  const stopping = await startShaped({ SHUTDOWN_SECONDS: '2' }, own);
  const sender = stopping.resend;
  const { data } = await sender.batch.send(
    Array.from({ length: 40 }, (_, at) => ({
      from: testSender,
      to: `u${at}@stopping.test`,
      subject: 'Hi',
      text: 'Hi',
    })),
  );
  expect(data?.data).toHaveLength(40);
  const database = new Client({ connectionString: own.url });
  await database.connect();
  const count = async (table: string): Promise<number> =>
    Number((await database.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);
  await until(async () => (await count('delivery_attempts')) > 0);

  await stopping.stop();

  const { rows } = await database.query(`SELECT DISTINCT attempt, worker_id FROM outbound_queue`);
  expect(rows).toEqual([{ attempt: 0, worker_id: null }]);
  expect((await count('outbound_queue')) + (await count('delivery_attempts'))).toBe(40);
  await database.end();
  await own.drop();
});
