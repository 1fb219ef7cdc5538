import { Resolver } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { authenticate } from 'mailauth';
import { Client } from 'pg';
import { allRecords, publishRecords } from '../support/builders/published-records.js';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { testApiKey, testEnvironment } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { DnsServer } from '../support/servers/dns-server.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

/** Each region with the address that its mail leaves from. */
const addresses = { 'us-east-1': '127.0.0.11', 'eu-west-1': '127.0.0.12', 'sa-east-1': '127.0.0.13' };
type RegionName = keyof typeof addresses;
const failoverSeconds = 10;

let directory: string;
let database: TestDatabase;
let client: Client;
let dns: DnsServer;
let sink: SmtpSink;
let api: ProgramProcess;
const workers = new Map<RegionName, ProgramProcess>();

const request = async (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${api.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
  });
const json = async <T>(path: string, init?: RequestInit): Promise<T> => {
  const response = await request(path, init);
  expect([path, response.status]).toEqual([path, expect.any(Number)]);
  if (response.status >= 300) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
};

const environment = (): Record<string, string> => ({
  ...testEnvironment(database, directory),
  DELIVERY_TRANSPORT: 'mx',
  MX_PORT: String(sink.port),
  ALLOW_PRIVATE_DESTINATIONS: 'true',
  DNS_SERVERS: dns.address,
  HOST_NAME: 'mail.service.test',
  SPF_INCLUDE: 'spf.service.test',
  REGIONS: Object.keys(addresses)
    .map((name) => `${name}=${name}.service.test`)
    .join(','),
  FAILOVER_SECONDS: String(failoverSeconds),
  RATE_LIMIT_PER_SECOND: '10000',
});

async function startWorker(region: RegionName): Promise<void> {
  const routes = join(directory, `${region}.json`);
  const pools = { own: [{ helo: `${region}.service.test`, addresses: [addresses[region]] }] };
  await writeFile(routes, JSON.stringify({ pools, sources: [{ pool: 'own' }] }));
  const own = { ROLES: 'worker', REGION: region, ROUTES_FILE: routes, HELO_NAME: `${region}.service.test` };
  workers.set(region, await startProgramProcess({ ...environment(), ...own }));
}

async function addDomain(name: string, fields: { region: RegionName; failover?: boolean }): Promise<string> {
  const domain = await json<{ id: string }>('/domains', {
    method: 'POST',
    body: JSON.stringify({ name, ...fields }),
  });
  publishRecords(dns, 'customer.test', allRecords(domain));
  await request(`/domains/${domain.id}/verify`, { method: 'POST' });
  await until(async () => (await json<{ status: string }>(`/domains/${domain.id}`)).status === 'verified', 60_000);
  return domain.id;
}

let sent = 0;

/** Sends a message and resolves with its id and its recipient. */
async function send(domain: string): Promise<{ id: string; to: string }> {
  const to = `reader${++sent}@good.test`;
  const mail = { from: `Acme <hello@${domain}>`, to, subject: 'Hello', text: 'Hi' };
  const { id } = await json<{ id: string }>('/emails', { method: 'POST', body: JSON.stringify(mail) });
  return { id, to };
}

const messageTo = (to: string): SmtpSink['messages'][number] | undefined =>
  sink.messages.find(({ recipients }) => recipients.includes(to));
const arrived = (to: string, timeoutMs = 60_000): Promise<SmtpSink['messages'][number]> =>
  until(() => messageTo(to), timeoutMs);

/** It left from an address of the region, and passes SPF, DKIM and DMARC at a host that verifies them. */
async function arrivedFrom(region: RegionName, to: string, timeoutMs?: number): Promise<void> {
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  const { from: ip, content, mailFrom } = await arrived(to, timeoutMs);
  expect(ip).toBe(addresses[region]);
  const checked = await authenticate(content, {
    ip,
    helo: `${region}.service.test`,
    sender: mailFrom,
    mta: 'mx.good.test',
    resolver: (host: string, type: string) => resolver.resolve(host, type) as never,
  });
  expect(checked.spf).toMatchObject({ status: { result: 'pass' } });
  expect(checked.dkim.results.some(({ status }) => status.result === 'pass')).toBe(true);
  expect(checked.dmarc).toMatchObject({ status: { result: 'pass' } });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-regions-'));
  [database, dns, sink] = await Promise.all([
    createTestDatabase(),
    DnsServer.listen(),
    SmtpSink.listen({ keep: true, host: '127.0.0.2' }),
  ]);
  dns.mx('good.test', [10, 'mx.good.test']).a('mx.good.test', '127.0.0.2');
  dns.txt(
    'spf.service.test',
    `v=spf1 ${Object.values(addresses)
      .map((ip) => `ip4:${ip}`)
      .join(' ')} -all`,
  );
  client = new Client({ connectionString: database.url });
  await client.connect();
  // The domains are checked by the worker of any region.
  api = await startProgramProcess({ ...environment(), ROLES: 'api' });
  await Promise.all((Object.keys(addresses) as RegionName[]).map(startWorker));
}, 300_000);

afterAll(async () => {
  await Promise.all([...workers.values(), api].map((program) => program.stop()));
  await client.end();
  await Promise.all([dns.close(), sink.close(), rm(directory, { recursive: true, force: true })]);
  await database.drop();
});

it('mail of each domain leaves from its region, passes SPF, DKIM and DMARC, and its trace names the region', async () => {
  for (const region of Object.keys(addresses) as RegionName[]) {
    const name = `${region}.customer.test`;
    await addDomain(name, { region });
    const mails = await Promise.all(Array.from({ length: 5 }, () => send(name)));
    for (const { id, to } of mails) {
      await arrivedFrom(region, to);
      const trace = await until(async () => {
        const { recipients } = await json<{ recipients: { attempts: { region: string }[] }[] }>(`/emails/${id}/trace`);
        return recipients[0]?.attempts[0];
      });
      expect(trace.region).toBe(region);
    }
  }
});

it('a change of the region moves what waits, under load, and loses and repeats nothing', async () => {
  const id = await addDomain('moves.customer.test', { region: 'us-east-1' });
  // A pause of the lane, as after trouble with the host, so that mail waits in the former region.
  const lane = 'us-east-1/default/mx:good.test';
  await client.query(
    `INSERT INTO lane_pauses VALUES ($1, now(), now() + interval '1 hour', 1, 'down')
     ON CONFLICT (lane) DO UPDATE SET until = excluded.until`,
    [lane],
  );
  const before = await Promise.all(Array.from({ length: 50 }, () => send('moves.customer.test')));
  const sending = Promise.all(Array.from({ length: 100 }, () => send('moves.customer.test')));
  const change = { method: 'PATCH', body: JSON.stringify({ region: 'sa-east-1' }) };
  await json(`/domains/${id}`, change);
  const mails = [...before, ...(await sending)];
  for (const { to } of mails) await arrivedFrom('sa-east-1', to);
  expect(
    mails.filter(({ to }) => sink.messages.filter((message) => message.recipients.includes(to)).length > 1),
  ).toEqual([]);
  expect(await json(`/domains/${id}/diagnosis`)).toMatchObject({ region: 'sa-east-1', sends_from: 'sa-east-1' });
  await client.query('DELETE FROM lane_pauses');
  const refused = await request(`/domains/${id}`, { ...change, body: JSON.stringify({ region: 'moon-1' }) });
  expect([refused.status, await refused.json()]).toEqual([422, expect.objectContaining({ name: 'invalid_region' })]);
});

it('another region stands in for one without a worker, for the domains that want it, and gives the mail back', async () => {
  const stays = await addDomain('stays.customer.test', { region: 'eu-west-1' });
  const fails = await addDomain('fails.customer.test', { region: 'eu-west-1', failover: true });
  const { records } = await json<{ records: Record<string, unknown>[] }>(`/domains/${fails}`);
  expect(records.filter(({ type }) => type === 'MX')).toMatchObject([
    { record: 'SPF', name: 'send.fails', priority: 10, value: 'eu-west-1.service.test', status: 'verified' },
    { record: 'SPF', name: 'send.fails', priority: 20, value: 'sa-east-1.service.test', status: 'verified' },
  ]);
  await workers.get('eu-west-1')?.kill();
  const waiting = { stays: await send('stays.customer.test'), fails: await send('fails.customer.test') };

  await arrivedFrom('sa-east-1', waiting.fails.to, 120_000);
  expect(await json(`/domains/${fails}/diagnosis`)).toMatchObject({ region: 'eu-west-1', sends_from: 'sa-east-1' });
  expect(await json(`/domains/${stays}/diagnosis`)).toMatchObject({ region: 'eu-west-1', sends_from: 'eu-west-1' });
  const { to } = await send('fails.customer.test');
  await arrivedFrom('sa-east-1', to);
  expect(messageTo(waiting.stays.to)).toBeUndefined();

  await startWorker('eu-west-1');
  await arrivedFrom('eu-west-1', waiting.stays.to);
  await until(async () => {
    const { sends_from } = await json<{ sends_from: string }>(`/domains/${fails}/diagnosis`);
    return sends_from === 'eu-west-1';
  }, 120_000);
  const back = await send('fails.customer.test');
  await arrivedFrom('eu-west-1', back.to);
});
