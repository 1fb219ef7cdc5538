import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { recordEvents } from '../support/fakes/recorded-events.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { stretched } from '../support/runner/stretched.js';

const dns = new InMemoryDnsResolver();
let sink: SmtpSink;
let program: TestProgram;
let domainId: string;

/** Replies by the local part of the address. */
const replies: Readonly<Record<string, string>> = {
  gone: '550 5.1.1 <gone@picky.test>: No such user',
  spam: '550 5.7.1 Message <b>refused</b> as spam',
  later: '450 4.2.0 Greylisted, try again',
  listed: '554 5.7.1 Your address is listed at zen.spamhaus.org',
};

beforeAll(async () => {
  sink = await SmtpSink.listen({
    host: '127.0.0.2',
    replyToRecipient: (address) => replies[address.replace(/[+@].*/s, '')],
  });
  dns.set('gmail.com', { mx: [{ exchange: 'gmail-smtp-in.l.google.com', preference: 5 }] });
  dns.set('gmail-smtp-in.l.google.com', { a: ['127.0.0.2'] });
  dns.set('workspace.test', { mx: [{ exchange: 'aspmx.l.google.com', preference: 1 }] });
  dns.set('aspmx.l.google.com', { a: ['127.0.0.2'] });
  dns.set('picky.test', { mx: [{ exchange: 'mx1.hosting.test', preference: 10 }] });
  dns.set('mx1.hosting.test', { a: ['127.0.0.2'] });
  dns.set('nomail.test', { mx: [{ exchange: '', preference: 0 }] });
  program = await startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(sink.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
    },
    new Adapters().use(DnsResolver, dns),
  );
  domainId = (await program.resend.domains.list()).data?.data[0]?.id ?? '';
});

afterAll(async () => {
  await program.stop();
  await sink.close();
});

async function send(to: string): Promise<string> {
  const { data } = await program.resend.emails.send({ from: testSender, to, subject: 'Hello', text: 'Hi' });
  return data?.id ?? '';
}

async function get(query = '', id = domainId): Promise<ParsedJson> {
  return (await program.request(`/domains/${id}/insights${query}`)).json();
}

const provider = (body: ParsedJson, name: string): ParsedJson =>
  body.providers.find((of: ParsedJson) => of.provider === name);

it('says nothing where nothing was sent', async () => {
  const body = await get();
  expect(body).toMatchObject({
    object: 'domain_insights',
    id: domainId,
    score: null,
    providers: [],
    provider_reports: null,
  });
  expect(body.totals).toMatchObject({ delivered: 0, days: [], time_to_deliver: { p50: null, p95: null } });
});

describe('after mail to several providers', () => {
  let opened: string;

  beforeAll(async () => {
    opened = await send('ann@gmail.com');
    await Promise.all([
      ...['bob@workspace.test', 'carl@picky.test', 'gone@picky.test', 'spam@picky.test', 'listed@picky.test'].map(send),
      ...['later@picky.test', 'nobody@nomail.test', 'bounced@resend.dev'].map(send),
    ]);
    await until(async () => {
      const { totals } = await get();
      return totals.delivered === 3 && totals.bounced === 4 && totals.deferred === 1;
    });
    const database = program.postrider.app.get(Database);
    await recordEvents(database, opened, [
      { type: 'email.opened', recipientNo: 0, data: { open: { machine: true } } },
      { type: 'email.opened', recipientNo: 0 },
      { type: 'email.opened', recipientNo: 0 },
      { type: 'email.complained', recipientNo: 0 },
    ]);
    await database.execute({
      text: `INSERT INTO contact_unsubscribes (id, team_id, contact_id, email_id, source, topic_ids, created_at)
             SELECT $1, team_id, $1, id, 'link', '{}', now() FROM emails WHERE id = $2`,
      values: [newId(), opened],
    });
    await until(async () => {
      const { totals } = await get();
      return totals.opened === 1 && totals.complained === 1 && totals.unsubscribed === 1;
    });
  });

  it('adds up by the provider behind the mail hosts', async () => {
    const body = await get();
    expect(body.providers.map((of: ParsedJson) => of.provider)).toEqual(['hosting.test', 'google', 'nomail.test']);
    const today = new Date().toISOString().slice(0, 10);
    const google = { delivered: 2, deferred: 0, bounced: 0, complained: 1, opened: 1, unsubscribed: 1 };
    expect(provider(body, 'google')).toMatchObject({
      ...google,
      tls: { verified: 0, opportunistic: 0, none: 2 },
      time_to_deliver: { p50: expect.any(Number), p95: expect.any(Number) },
      days: [{ day: today, ...google }],
      refusals: [],
    });
    expect(provider(body, 'google').rates[0]).toEqual({
      id: 'complaint_rate',
      count: 1,
      of: 2,
      percent: 50,
      warning: 0.1,
      problem: 0.3,
      status: 'not_measured',
      source: { title: 'Google: Email sender guidelines', url: 'https://support.google.com/a/answer/81126' },
    });
  });

  it('names why mail was refused, with a reply and what it means', async () => {
    const { refusals } = provider(await get(), 'hosting.test');
    expect(refusals).toHaveLength(4);
    const of = (category: string): ParsedJson => refusals.find((refusal: ParsedJson) => refusal.category === category);
    expect(of('bad-address')).toMatchObject({
      outcome: 'bounced',
      count: 1,
      meaning: expect.stringContaining('does not exist'),
      reply: '550 5.1.1 [address] No such user',
    });
    expect(of('content')).toMatchObject({ reply: '550 5.7.1 Message <b>refused</b> as spam' });
    expect(of('reputation')).toMatchObject({ reply: expect.stringContaining('zen.spamhaus.org') });
    expect(of('greylisting')).toMatchObject({ outcome: 'deferred', reply: expect.stringContaining('Greylisted') });
    const trace = await (await program.request(`/emails/${of('content').email_id}/trace`)).json();
    expect(trace).toMatchObject({ recipients: [{ recipient: 'spam@picky.test' }] });
    // No host is known for it.
    expect(provider(await get(), 'nomail.test').refusals[0]).toMatchObject({ category: 'bad-address' });
  });

  it('has a score that is the sum of its parts', async () => {
    const { score } = await get();
    const sum = score.parts.reduce((total: number, { points }: ParsedJson) => total + points, 0);
    expect(score.value).toBe(sum);
    expect(score.parts.map(({ id }: ParsedJson) => id)).toEqual([
      ...['authentication', 'complaints', 'addresses', 'spam', 'encryption', 'alignment'],
    ]);
    expect(score.parts[4]).toMatchObject({ points: 0, max: 10, evidence: '0 of 3 deliveries were encrypted.' });
  });
});

it("refuses odd days and another team's domain", async () => {
  for (const days of ['0', '91', 'x']) {
    expect((await program.request(`/domains/${domainId}/insights?days=${days}`)).status).toBe(422);
  }
  const { apiKey } = await addSecondTeam(program.postrider.app);
  const asked = await fetch(`${program.url}/domains/${domainId}/insights`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(asked.status).toBe(404);
});

it('answers within 300 ms for the most counters that ninety days can have', async () => {
  const busy = (await program.resend.domains.create({ name: 'busy.test' })).data?.id ?? '';
  await program.postrider.app.get(Database).execute({
    text: `INSERT INTO provider_counts (domain_id, day, provider, kind, count)
           SELECT $1, current_date - d, p, k, 1000 FROM generate_series(0, 89) d,
             (SELECT 'site' || n || '.test' AS p FROM generate_series(1, 50) n
              UNION ALL SELECT unnest(ARRAY['google', 'microsoft', 'yahoo', 'apple'])) providers,
             unnest(ARRAY['delivered', 'complained', 'opened', 'unsubscribed', 'tls/none', 'tls/opportunistic', 'bounced/content',
                          'bounced/bad-address', 'deferred/rate', 'time/1', 'time/4', 'time/8']) k`,
    values: [busy],
  });
  await get('?days=90', busy);
  const begun = performance.now();
  const body = await get('?days=90', busy);
  const took = performance.now() - begun;
  expect(body.providers).toHaveLength(21);
  expect(body.totals.delivered).toBe(90 * 54 * 1_000);
  // It takes 0.1 s, and a few milliseconds with one day, on a machine that does nothing else.
  expect(took).toBeLessThan(stretched(5_000));
  const begunDay = performance.now();
  await get('?days=1', busy);
  expect(performance.now() - begunDay).toBeLessThan(stretched(2_000));
});
