import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { until } from '../support/runner/until.js';

/** The limits of a site without a profile: connections, and messages on each. */
const connections = 5;
const messagesPerConnection = 100;

/** Six domains with the mail hosts of one provider, and one with its own. */
const hosted = Array.from({ length: 6 }, (_, n) => `hosted${n}.test`);
const perDomain = 150;

const dns = new InMemoryDnsResolver();
let provider: SmtpSink;
let own: SmtpSink;
let programs: TestProgram[] = [];

const start = (roles: string, shared?: TestProgram): Promise<TestProgram> =>
  startProgram(
    {
      ROLES: roles,
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(own.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
      RATE_LIMIT_PER_SECOND: '40',
    },
    new Adapters().use(DnsResolver, dns),
    shared?.database,
  );

beforeAll(async () => {
  own = await SmtpSink.listen({ keep: true, host: '127.0.0.2' });
  provider = await SmtpSink.listen({ keep: true, host: '127.0.0.3', port: own.port });
  dns.set('own.test', { a: ['127.0.0.2'] });
  dns.set('mx.provider.test', { a: ['127.0.0.3'] });
  for (const domain of hosted) dns.set(domain, { mx: [{ exchange: 'mx.provider.test', preference: 10 }] });
  const first = await start('api');
  programs = [first, await start('api', first)];
  for (let worker = 0; worker < 3; worker++) programs.push(await start('worker', first));
});

afterAll(async () => {
  const [first, ...others] = programs;
  await Promise.all(others.map((program) => program.stop()));
  await first?.stop();
  await own.close();
  await provider.close();
});

it('three workers together keep to the limits of each site, and share the lanes', async () => {
  const [api] = programs as [TestProgram];
  const domains = [...hosted, 'own.test'];
  const emails = domains.flatMap((domain) =>
    Array.from({ length: perDomain }, (_, n) => ({
      from: testSender,
      to: `user${n}@${domain}`,
      subject: 'Hello',
      text: 'Hi',
    })),
  );
  for (let from = 0; from < emails.length; from += 100) {
    const { error } = await api.resend.batch.send(emails.slice(from, from + 100));
    expect(error).toBeNull();
  }
  const database = api.postrider.app.get(Database);
  const workers = new Set<string>();
  await until(async () => {
    const lanes = await database.query<{ worker: string }>({ text: 'SELECT worker_id AS worker FROM lanes' });
    for (const { worker } of lanes) workers.add(worker);
    return provider.count + own.count >= emails.length;
  }, 100_000);

  expect(workers.size).toBeGreaterThan(1);
  for (const sink of [provider, own]) {
    expect(sink.maxConnections).toBeLessThanOrEqual(connections);
    const carried = new Map<number, number>();
    for (const { connection } of sink.messages) carried.set(connection, (carried.get(connection) ?? 0) + 1);
    expect(Math.max(...carried.values())).toBeLessThanOrEqual(messagesPerConnection);
  }
  expect(new Set(provider.messages.flatMap(({ recipients }) => recipients)).size).toBe(hosted.length * perDomain);
});

it('two api programs together keep to the rate limit of a team', async () => {
  const apis = programs.slice(0, 2);
  const database = (apis[0] as TestProgram).postrider.app.get(Database);
  const window = async (): Promise<{ second: number; ms: number }> => {
    const [row] = await database.query<{ second: number; ms: number }>({
      text: `SELECT floor(extract(epoch FROM clock_timestamp()))::int AS second,
                    ((extract(epoch FROM clock_timestamp()) % 1) * 1000)::float8 AS ms`,
    });
    return row as { second: number; ms: number };
  };
  // All requests must be in one window. If the machine is too busy for that, the next window is tried.
  await until(async () => {
    await until(async () => (await window()).ms < 100);
    const before = await window();
    const responses = await Promise.all(
      apis.flatMap((api) => Array.from({ length: 40 }, () => api.request('/emails?limit=1'))),
    );
    if ((await window()).second !== before.second) return false;
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);
    return true;
  }, 60_000);
});
