import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OutboundHttp } from '#http/outbound';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { Retention } from '#postgres/retention';
import { DoctorFinding } from '../../apps/server/src/doctor/check.js';
import { ProviderReportsCheck } from '../../apps/server/src/doctor/checks/provider-reports.check.js';
import {
  ImportProviderReports,
  NewTrouble,
} from '../../libs/provider-reports/src/application/import-provider-reports.use-case.js';
import { operatorOf } from '../support/builders/machine-room-examples.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';
import { GivenReply, MailboxProviders } from '../support/servers/mailbox-providers.js';

const providers = new MailboxProviders();
const ids = new Map<string, string>();
const yesterday = new Date(Date.now() - 86_400_000);
const day = yesterday.toISOString().slice(0, 10);
const american = `${yesterday.getUTCMonth() + 1}/${yesterday.getUTCDate()}/${yesterday.getUTCFullYear()}`;
let folder: string;
let keyFile: string;
let program: TestProgram;
let database: Database;
let operator: Awaited<ReturnType<typeof operatorOf>>;

const start = (shared?: TestProgram): Promise<TestProgram> =>
  startProgram(
    { POSTMASTER_TOOLS_KEY_FILE: keyFile, SNDS_KEY: providers.sndsKey },
    new Adapters().use(OutboundHttp, providers.outbound()),
    shared?.database,
  );

const importOf = (of: TestProgram): Promise<readonly NewTrouble[]> =>
  of.postrider.app.get(ImportProviderReports, { strict: false }).run();

/** As if a day had passed. */
async function importAgain(): Promise<readonly NewTrouble[]> {
  await database.execute({ text: 'UPDATE provider_imports SET next_at = now() - make_interval(mins => 1)' });
  return importOf(program);
}

async function reportsOf(name: string, init?: RequestInit): Promise<ParsedJson> {
  return ((await (await program.request(`/domains/${ids.get(name)}/insights`, init)).json()) as ParsedJson)
    .provider_reports;
}

async function askOperator(path: string, method = 'GET', body?: object): Promise<ParsedJson> {
  const response = await operator.browser.request(`/machine-room${path}`, {
    method,
    body,
    headers: { 'x-team': operator.teamId },
  });
  return response.json();
}

/** The machine room keeps a diagnosis for a while. */
const findings = (): Promise<readonly DoctorFinding[]> => program.postrider.app.get(ProviderReportsCheck).run();

beforeAll(async () => {
  await providers.listen();
  folder = await mkdtemp(join(tmpdir(), 'postrider-provider-key-'));
  keyFile = join(folder, 'key.json');
  await writeFile(keyFile, providers.keyFile());
  providers.shared = ['acme.test', 'second.test', 'unproven.test', 'nobodys.test', 'refused.test'];
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  providers.day = { year, month, day: date };
  providers.stats = {
    'acme.test': {
      spam: 0.0035,
      spf: 0.998,
      dkim: 1,
      dmarc: 0.5,
      tls_inbound: 1,
      rejected: 0.02,
      rejected_spammy_content: 0.02,
    },
    'second.test': { spam: 0.5 },
    'unproven.test': { spam: 0.5 },
    'nobodys.test': { spam: 0.5 },
  };
  const row = (address: string, result: string, traps: number): string =>
    `${address},${american} 1:00 AM,${american} 7:00 PM,50,40,39,${result},< 0.1%,,,${traps},<b>helo</b>,,"note"`;
  providers.data = [row('192.0.2.10', 'GREEN', 0), row('192.0.2.11', 'YELLOW', 3), 'not,a,row'].join('\r\n');
  providers.status = '192.0.2.12,192.0.2.13,Yes,"Blocked due to <script>alert(1)</script>"\r\n';
  program = await start();
  database = program.postrider.app.get(Database);
  operator = await operatorOf(program);
  for (const name of ['acme.test', 'unproven.test', 'refused.test', 'alone.test']) {
    ids.set(name, (await program.resend.domains.create({ name })).data?.id ?? '');
  }
  const { apiKey } = await addSecondTeam(program.postrider.app);
  const created = await fetch(`${program.url}/domains`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'second.test' }),
  });
  ids.set('second.test', ((await created.json()) as ParsedJson).id as string);
  await database.execute({ text: `UPDATE domains SET status = 'verified' WHERE NOT name IN ('unproven.test')` });
  for (const no of [10, 11, 12, 14]) {
    await askOperator('/addresses', 'POST', { address: `192.0.2.${no}`, helo_name: `out${no}.acme.test` });
  }
  // The first look of the worker came before or comes after the domains are there.
  await until(async () => (await findings()).length > 0);
  await importAgain();
});

beforeEach(() => {
  providers.instead.clear();
  providers.asked.length = 0;
});

afterAll(async () => {
  await program.stop();
  await providers.close();
  await rm(folder, { recursive: true, force: true });
});

it('a team sees what Google says about its own domains, with the source and the thresholds', async () => {
  const { google } = await reportsOf('acme.test');
  expect(google).toMatchObject({
    account: providers.email,
    source: { title: 'Google: Postmaster Tools', url: 'https://postmaster.google.com/' },
    spam_rate: { day, percent: 0.35, warning: 0.1, problem: 0.3, status: 'problem' },
  });
  expect(google.days).toEqual([
    {
      day,
      spam: 0.35,
      spf: 99.8,
      dkim: 100,
      dmarc: 50,
      tls_inbound: 100,
      tls_outbound: null,
      rejected: 2,
      delayed: null,
      errors: [{ outcome: 'rejected', reason: 'spammy_content', percent: 2 }],
    },
  ]);
  expect((await program.request(`/domains/${ids.get('second.test')}/insights`)).status).toBe(404);
});

it('nothing is imported about a domain that is not proven, or that belongs to no team', async () => {
  expect((await reportsOf('unproven.test')).google).toMatchObject({ days: [], spam_rate: null });
  await importAgain();
  const asked = providers.asked.filter((path) => path.endsWith(':query')).map((path) => path.split('/')[3]);
  expect([...new Set(asked)].sort()).toEqual(['acme.test', 'refused.test', 'second.test']);
  const stored = await database.query({ text: 'SELECT DISTINCT domain_id FROM google_domain_days' });
  expect(stored).toHaveLength(2);
});

it('the operator sees SNDS at each address, and the doctor tells what needs attention', async () => {
  const { data } = await askOperator('/addresses');
  const microsoft = (no: number): ParsedJson =>
    data.find(({ address }: ParsedJson) => address === `192.0.2.${no}`).microsoft;
  expect(microsoft(10)).toEqual({
    blocked: false,
    reason: null,
    day,
    filter: 'green',
    complaint_rate: '< 0.1%',
    recipients: 39,
    trap_hits: 0,
    source: { title: expect.stringContaining('Microsoft'), url: expect.stringMatching(/^https:/) },
  });
  expect(microsoft(11)).toMatchObject({ blocked: false, filter: 'yellow', trap_hits: 3 });
  expect(microsoft(12)).toMatchObject({
    blocked: true,
    filter: null,
    day: null,
    reason: 'Blocked due to <script>alert(1)</script>',
  });
  expect(microsoft(14)).toBeNull();
  expect((await findings()).map(({ level, subject }) => [level, subject])).toEqual([
    ['green', 'Google Postmaster Tools'],
    ['green', 'Microsoft SNDS'],
    ['red', '192.0.2.12 – 192.0.2.13'],
    ['yellow', '192.0.2.11'],
  ]);
  const { checks } = await askOperator('/diagnosis');
  const [shown] = checks.find(({ check }: ParsedJson) => check === 'Provider reports').findings;
  expect(shown.text).toContain(`are not shared with ${providers.email}: refused.test, alone.test`);
});

it('a restart asks nobody again on the same day, and of two workers one asks', async () => {
  const other = await start(program);
  try {
    await Promise.all([importOf(program), importOf(other)]);
    expect(providers.asked).toEqual([]);
    await database.execute({ text: 'UPDATE provider_imports SET next_at = now() - make_interval(mins => 1)' });
    await Promise.all([importOf(program), importOf(other), importOf(program), importOf(other)]);
    expect(providers.asked.filter((path) => path === '/token')).toHaveLength(1);
    expect(providers.asked.filter((path) => path === '/snds/data.aspx')).toHaveLength(1);
  } finally {
    await other.stop();
  }
});

const tooMuch = Buffer.alloc(5 * 1024 * 1024, ' ');
const google: readonly (readonly [string, string, GivenReply, string])[] = [
  ['a failure', '/token', { status: 500 }, 'Google answered with the status 500'],
  ['too many requests', '/v2/domains', { status: 429, body: '{}' }, 'Google answered with the status 429'],
  ['an API that is not enabled', '/v2/domains', { status: 403, body: '{}' }, 'enable the Gmail Postmaster Tools API'],
  ['garbage', '/v2/domains', { status: 200, body: '<html>' }, 'Google answered with something else than figures'],
  ['a token of nothing', '/token', { status: 200, body: '{"access_token":7}' }, 'something else than figures'],
  ['too much', '/v2/domains/', { status: 200, body: tooMuch }, 'The response is too large'],
];
const microsoft: typeof google = [
  ['a failure', '/snds/', { status: 503 }, 'Microsoft answered with the status 503'],
  ['a page to sign in at', '/snds/', { status: 200, body: ' <html>Sign in' }, 'Microsoft refused SNDS_KEY'],
  ['garbage', '/snds/', { status: 200, body: 'a,b\nc' }, 'Microsoft answered with something else than figures'],
  ['too much', '/snds/', { status: 200, body: tooMuch }, 'The response is too large'],
];

it.each([...google, ...microsoft])(
  '%s at %s is told once, and what was known stays',
  async (_, path, reply, trouble) => {
    providers.instead.set(path, reply);
    expect(await importAgain()).toEqual([expect.objectContaining({ trouble: expect.stringContaining(trouble) })]);
    expect(await importAgain()).toEqual([]);
    const source = path.startsWith('/snds/') ? 'Microsoft SNDS' : 'Google Postmaster Tools';
    expect((await findings()).find(({ subject }) => subject === source)).toMatchObject({
      level: 'yellow',
      text: expect.stringContaining(trouble),
      fix: expect.stringContaining('The last import was at'),
    });
    expect((await reportsOf('acme.test')).google.days).toHaveLength(1);
    providers.instead.clear();
    expect(await importAgain()).toEqual([]);
    expect((await findings()).find(({ subject }) => subject === source)).toMatchObject({ level: 'green' });
  },
);

const nested = Buffer.alloc(2_000_000, '[');
const elsewhere = { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } };
it.each([
  ['a redirect', '/token', elsewhere, 'Google answered with the status 302'],
  ['a redirect', '/v2/domains', elsewhere, 'Google answered with the status 302'],
  ['a redirect', '/snds/', elsewhere, 'Microsoft refused SNDS_KEY'],
  ['lists in lists', '/v2/domains', { status: 200, body: nested }, 'something else than figures'],
  ['lists in lists', '/token', { status: 200, body: nested }, 'something else than figures'],
])('%s at %s leads nowhere', async (_, path, reply: GivenReply, trouble) => {
  providers.instead.set(path, reply);
  expect(await importAgain()).toEqual([expect.objectContaining({ trouble: expect.stringContaining(trouble) })]);
  expect(providers.asked.filter((asked) => asked.includes('meta-data'))).toEqual([]);
  providers.instead.clear();
  expect(await importAgain()).toEqual([]);
});

it('pages without end, with more entries than were asked for, are read as far as Google may go', async () => {
  const domains = Array.from({ length: 150_000 }, () => ({ name: 'domains/a.b' }));
  providers.instead.set('/v2/domains', { status: 200, body: JSON.stringify({ domains, nextPageToken: 'more' }) });
  expect(await importAgain()).toEqual([]);
  expect(providers.asked.filter((path) => path === '/v2/domains')).toHaveLength(25);
});

it('figures of days that were not asked for are not kept, and those that come later still are', async () => {
  const { day: asked } = providers;
  for (const year of [2009, 9999]) {
    providers.day = { year, month: 12, day: 31 };
    expect(await importAgain()).toEqual([]);
  }
  const stored = await database.query({ text: 'SELECT DISTINCT day::text AS day FROM google_domain_days' });
  expect(stored).toEqual([{ day }]);
  providers.day = asked;
  await database.execute({ text: 'DELETE FROM google_domain_days' });
  expect(await importAgain()).toEqual([]);
  expect((await reportsOf('acme.test')).google.days).toHaveLength(1);
});

it('an SNDS file with days to come and addresses that are none takes nothing else with it', async () => {
  const { data, status } = providers;
  providers.data = [
    '192.0.2.10,12/31/2999 1:00 AM,12/31/2999 7:00 PM,9,9,9,RED,99%,,,9,,,',
    `fe80::1%eth0,${american} 1:00 AM,${american} 7:00 PM,9,9,9,RED,99%,,,9,,,`,
    `192.0.2.14,${american} 1:00 AM,${american} 7:00 PM,7,7,7,GREEN,< 0.1%,,,0,,,`,
  ].join('\r\n');
  providers.status = `fe80::1%eth0,fe80::2%eth0,Yes,x\r\n192.0.2.15,192.0.2.15,Yes,${'x'.repeat(199)}\u{1f600}\r\n`;
  expect(await importAgain()).toEqual([]);
  const { data: addresses } = await askOperator('/addresses');
  const microsoft = (no: number): ParsedJson =>
    addresses.find(({ address }: ParsedJson) => address === `192.0.2.${no}`).microsoft;
  expect(microsoft(10)).toMatchObject({ day, filter: 'green' });
  expect(microsoft(14)).toMatchObject({ day, filter: 'green', recipients: 7 });
  Object.assign(providers, { data, status });
  expect(await importAgain()).toEqual([]);
});

it('a key that Google does not know, and a file that is no key, are told without their contents', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const refused = [
    [providers.keyFile(privateKey), `Google refused the key of ${providers.email}: invalid_grant`],
    ['{"private_key":"s3cret"}', 'POSTMASTER_TOOLS_KEY_FILE is not the JSON key of a service account of Google'],
  ] as const;
  for (const [text, trouble] of refused) {
    await writeFile(keyFile, text);
    expect(await importAgain()).toEqual([{ source: 'google', trouble }]);
  }
  await rm(keyFile);
  expect(await importAgain()).toEqual([
    { source: 'google', trouble: 'POSTMASTER_TOOLS_KEY_FILE cannot be read (ENOENT)' },
  ]);
  await writeFile(keyFile, providers.keyFile());
  expect(await importAgain()).toEqual([]);
});

it('figures are kept for 400 days', async () => {
  await database.execute({
    text: `INSERT INTO google_domain_days (domain_id, day, shares)
           SELECT $1, current_date - ago, '{}' FROM unnest(ARRAY[399, 402]) AS ago`,
    values: [newId()],
  });
  const oldest = { text: 'SELECT (current_date - min(day))::int AS ago FROM google_domain_days' };
  expect(await database.query(oldest)).toEqual([{ ago: 402 }]);
  await program.postrider.app.get(Retention, { strict: false }).run();
  expect(await database.query(oldest)).toEqual([{ ago: 399 }]);
});
