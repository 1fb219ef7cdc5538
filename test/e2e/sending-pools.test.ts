import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { Resend } from 'resend';
import { operatorOf } from '../support/builders/machine-room-examples.js';
import { allRecords } from '../support/builders/published-records.js';
import { publishedIn } from '../support/fakes/in-memory-zones.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

const dns = new InMemoryDnsResolver();
const ids = new Map<string, string>();
let sink: SmtpSink;
let program: TestProgram;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let second: Resend;

const ask = async (method: string, path: string, body?: object): Promise<{ status: number; body: ParsedJson }> => {
  const response = await operator.browser.request(`/machine-room${path}`, {
    method,
    body,
    headers: { 'x-team': operator.teamId },
  });
  return { status: response.status, body: (await response.json()) as ParsedJson };
};

async function done(method: string, path: string, body?: object): Promise<ParsedJson> {
  const response = await ask(method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
  return response.body;
}

async function addPool(name: string, addresses: readonly string[]): Promise<string> {
  for (const address of addresses) {
    const helo = `out${address.split('.').at(-1)}.pools.test`;
    ids.set(address, (await done('POST', '/addresses', { address, helo_name: helo })).id as string);
  }
  const members = addresses.map((address) => ({ id: ids.get(address) }));
  return (await done('POST', '/pools', { name, addresses: members })).id as string;
}

async function addDomain(name: string, client: Resend): Promise<void> {
  const { data } = await client.domains.create({ name });
  publishedIn(dns, name, allRecords(data ?? {}));
  await client.domains.verify(data?.id ?? '');
  await until(async () => (await client.domains.get(data?.id ?? '')).data?.status === 'verified', 60_000);
}

let count = 0;

async function send(
  domain: string,
  client = program.resend,
  tags?: { name: string; value: string }[],
): Promise<{ id: string; to: string }> {
  const to = `reader${++count}@good.test`;
  const from = domain === 'sandbox' ? testSender : `Shop <shop@${domain}>`;
  const { data, error } = await client.emails.send({ from, to, subject: 'Hello', text: 'Hi', tags });
  expect(error).toBeNull();
  return { id: data?.id ?? '', to };
}

const messagesTo = (to: string): SmtpSink['messages'] =>
  sink.messages.filter(({ recipients }) => recipients.includes(to));

/** The addresses that the messages came from, one of each, in order. */
async function sourcesOf(mails: readonly { readonly to: string }[]): Promise<string[]> {
  await until(() => mails.every(({ to }) => messagesTo(to).length > 0), 60_000);
  return [...new Set(mails.flatMap(({ to }) => messagesTo(to).map(({ from }) => from)))].sort();
}

const attemptOf = (id: string): Promise<ParsedJson> =>
  until(async () => {
    const trace = (await (await program.request(`/emails/${id}/trace`)).json()) as ParsedJson;
    return trace.recipients[0].attempts[0];
  });

const times = <Result>(n: number, act: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: n }, act));

beforeAll(async () => {
  sink = await SmtpSink.listen({ keep: true, host: '127.0.0.2' });
  dns.set('good.test', { mx: [{ exchange: 'mx.good.test', preference: 10 }] });
  dns.set('mx.good.test', { a: ['127.0.0.2'] });
  dns.set('127.0.0.31', { ptr: ['out31.pools.test'] });
  dns.set('out31.pools.test', { a: ['127.0.0.31'] });
  const settings = {
    DELIVERY_TRANSPORT: 'mx',
    MX_PORT: String(sink.port),
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    HELO_NAME: 'client.test',
    RATE_LIMIT_PER_SECOND: '10000',
  };
  program = await startProgram({ ...inOneProcess, ...settings }, new Adapters().use(DnsResolver, dns));
  operator = await operatorOf(program);
  second = new Resend((await addSecondTeam(program.postrider.app)).apiKey, { baseUrl: program.url });
  await Promise.all([addDomain('acme.test', program.resend), addDomain('other.test', second)]);
  const acme = await addPool('acme', ['127.0.0.31', '127.0.0.32', '192.0.2.77']);
  const shop = await addPool('shop', ['127.0.0.33']);
  await done('POST', `/pools/${acme}/uses`, { domain: 'acme.test' });
  await done('POST', `/pools/${shop}/uses`, { team_id: operator.teamId });
  await until(async () => (await machineOf('192.0.2.77')) !== undefined);
  // The worker has read both pools.
  for (const [domain, pool] of [
    ['acme.test', 'acme'],
    ['sandbox', 'shop'],
  ] as const) {
    await until(async () => (await attemptOf((await send(domain)).id)).pool === pool);
  }
});

afterAll(async () => {
  await program.stop();
  await sink.close();
});

const machineOf = async (address: string): Promise<ParsedJson> =>
  (await done('GET', `/addresses/${ids.get(address)}`)).machines[0];

it('mail of a domain leaves from its pool, other mail of the team from the pool of the team, and no other mail', async () => {
  const [acme, shop, others] = await Promise.all([
    times(12, () => send('acme.test')),
    times(3, () => send('sandbox')),
    times(3, () => send('other.test', second)),
  ]);
  expect(await sourcesOf(acme)).toEqual(['127.0.0.31', '127.0.0.32']);
  expect(await sourcesOf(shop)).toEqual(['127.0.0.33']);
  expect(await sourcesOf(others)).toEqual(['127.0.0.1']);
  const { from } = messagesTo(acme[0]?.to ?? '')[0] ?? {};
  expect(await attemptOf(acme[0]?.id ?? '')).toMatchObject({ pool: 'acme', source_address: from });
});

it('mail with a tag leaves from the pool of the tag, and mail of another team with the same tag does not', async () => {
  const pool = await addPool('tagged', ['127.0.0.34']);
  const [news, other] = [[{ name: 'kind', value: 'news' }], [{ name: 'kind', value: 'other' }]];
  const tag = { name: 'kind', value: 'news' };
  const use = await done('POST', `/pools/${pool}/uses`, { team_id: operator.teamId, tag });
  expect(use).toMatchObject({ domain: null, broadcasts: false, tag });
  // Until the worker has heard of it.
  await until(async () => (await attemptOf((await send('acme.test', program.resend, news)).id)).pool === 'tagged');
  const [tagged, untagged, theirs] = await Promise.all([
    times(6, () => send('acme.test', program.resend, news)),
    times(6, () => send('acme.test', program.resend, other)),
    times(3, () => send('other.test', second, news)),
  ]);
  expect(await sourcesOf(tagged)).toEqual(['127.0.0.34']);
  expect(await sourcesOf(untagged)).toEqual(['127.0.0.31', '127.0.0.32']);
  expect(await sourcesOf(theirs)).toEqual(['127.0.0.1']);

  await done('DELETE', `/pools/${pool}/uses/${use.id}`);
  await until(async () => (await attemptOf((await send('acme.test', program.resend, news)).id)).pool === 'acme');
  await done('DELETE', `/pools/${pool}`);
});

it('a broadcast leaves from the pool of broadcasts, and other mail of its domain from that of the domain', async () => {
  const pool = await addPool('bulk', ['127.0.0.35']);
  await done('POST', `/pools/${pool}/uses`, { team_id: operator.teamId, broadcasts: true });
  const { data: segment } = await program.resend.segments.create({ name: 'Readers' });
  const segmentId = segment?.id ?? '';
  const readers = await times(3, async () => {
    const to = `contact${++count}@good.test`;
    await program.resend.contacts.create({ email: to, segments: [{ id: segmentId }] });
    return { to };
  });
  // Until the worker has heard of it.
  await until(async () => {
    const fields = {
      from: 'Shop <shop@acme.test>',
      subject: 'News',
      html: '<p>Hi</p>',
      segmentId,
      send: true,
    } as const;
    expect((await program.resend.broadcasts.create(fields)).error).toBeNull();
    const seen = sink.messages.length;
    await until(() => sink.messages.length >= seen + readers.length, 60_000);
    return readers.every(({ to }) => messagesTo(to).at(-1)?.from === '127.0.0.35');
  }, 60_000);
  expect(await sourcesOf(await times(6, () => send('acme.test')))).toEqual(['127.0.0.31', '127.0.0.32']);
});

it('takes a tag only of a team', async () => {
  const [{ id: pool }] = (await done('GET', '/pools')).data;
  const tag = { name: 'kind' };
  for (const [body, message] of [
    [{ domain: 'acme.test', tag }, 'The `tag` field needs a `team_id`, and cannot be used with `broadcasts`.'],
    [{ team_id: operator.teamId, tag, broadcasts: true }, 'The `tag` field needs a `team_id`'],
    [{ team_id: operator.teamId, tag: { value: 'news' } }, 'The `tag` field must be an object with a `name`.'],
    [{ team_id: operator.teamId, tag: { name: 'a b' } }, 'may have ASCII letters, digits, underscores and dashes'],
    [{ team_id: operator.teamId, broadcasts: 'yes' }, 'The `broadcasts` field must be a boolean.'],
  ] as const) {
    const refused = await ask('POST', `/pools/${pool}/uses`, body);
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining(message)]);
  }
});

it('shows the operator the reverse name of an address, and which machines have it', async () => {
  const { data } = await done('GET', '/addresses?limit=100');
  const shown = (address: string): ParsedJson => data.find((each: ParsedJson) => each.address === address);
  expect(shown('127.0.0.31').reverse_name).toEqual({ verdict: 'confirmed', names: ['out31.pools.test'] });
  expect(shown('127.0.0.31').machines).toMatchObject([{ can_send: true }]);
  expect(shown('192.0.2.77')).toMatchObject({ reverse_name: { verdict: 'missing' }, machines: [{ can_send: false }] });
  expect((await ask('POST', '/addresses', { address: 'out1.pools.test', helo_name: 'out1.pools.test' })).status).toBe(
    422,
  );
  expect((await ask('DELETE', `/addresses/${ids.get('127.0.0.31')}`)).status).toBe(409);
});

it('an address that is drained under load loses and repeats nothing, and nothing new comes from it', async () => {
  const before = await times(40, () => send('acme.test'));
  const sending = times(60, () => send('acme.test'));
  await done('PATCH', `/addresses/${ids.get('127.0.0.31')}`, { state: 'draining' });
  const mails = [...before, ...(await sending)];
  await sourcesOf(mails);
  expect(mails.filter(({ to }) => messagesTo(to).length !== 1)).toEqual([]);

  await until(async () => (await sourcesOf(await times(4, () => send('acme.test'))))[0] === '127.0.0.32');
  expect(await sourcesOf(await times(12, () => send('acme.test')))).toEqual(['127.0.0.32']);
});

it('mail waits while no address of its pool is ready', async () => {
  await done('PATCH', `/addresses/${ids.get('127.0.0.32')}`, { state: 'off' });
  // Until the worker has heard of it.
  const { id, to } = await until(async () => {
    const mail = await send('acme.test');
    return (await attemptOf(mail.id)).outcome === 'deferred' && mail;
  });
  expect(await attemptOf(id)).toMatchObject({
    category: 'our-fault',
    reason: 'No address of the pool acme is ready to send',
    pool: null,
  });
  expect(messagesTo(to)).toEqual([]);
});
