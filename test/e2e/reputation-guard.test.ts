import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Clock, newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { TestClock } from '../support/fakes/test-clock.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';

const minute = 60_000;
const dns = new InMemoryDnsResolver();
const clock = new TestClock();
/** The simulated provider takes mail to `spam…` for spam. */
const replyToRecipient = (address: string): string | undefined =>
  address.startsWith('spam') ? '550 5.7.1 Message refused as spam' : undefined;
let sink: SmtpSink;
let webhook: WebhookReceiver;
let program: TestProgram;
let database: Database;
let teamId: string;
let domainId: string;

beforeAll(async () => {
  sink = await SmtpSink.listen({ host: '127.0.0.2', keep: true, replyToRecipient });
  webhook = await WebhookReceiver.listen();
  for (const name of ['strict.test', 'easy.test']) {
    dns.set(name, { mx: [{ exchange: `mx.${name}`, preference: 10 }] });
    dns.set(`mx.${name}`, { a: ['127.0.0.2'] });
  }
  program = await startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(sink.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
      GUARD_MIN_VOLUME: '100',
      RATE_LIMIT_PER_SECOND: '10000',
    },
    new Adapters().use(DnsResolver, dns).use(Clock, clock),
  );
  database = program.postrider.app.get(Database);
  teamId = (await database.query<{ id: string }>({ text: 'SELECT id FROM teams' }))[0]?.id ?? '';
  domainId = (await program.resend.domains.list()).data?.data[0]?.id ?? '';
  await call('/webhooks', { endpoint: webhook.url, events: ['domain.reputation_changed'] });
});

afterAll(async () => {
  await program.stop();
  await Promise.all([sink.close(), webhook.close()]);
});

async function call(path: string, body?: object): Promise<{ status: number; json: ParsedJson }> {
  const response = await program.request(path, body && { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, json: await response.json() };
}

const guard = async (): Promise<ParsedJson> => (await call(`/domains/${domainId}/guard`)).json;
const stepOf = async (provider: string): Promise<string> =>
  (await guard()).data.find((of: ParsedJson) => of.provider === provider)?.step ?? 'none';
const stepIs = (step: string): Promise<boolean> => until(async () => (await stepOf('strict.test')) === step);

/** From here on outcomes count for the next step. */
const settled = (): Promise<boolean> =>
  until(async () => {
    const [row] = await database.query<{ isSettled: boolean }>({
      text: `SELECT is_settled AS "isSettled" FROM reputation_guards WHERE provider = 'strict.test'`,
    });
    return row?.isSettled === true;
  });

async function send(addresses: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < addresses.length; from += 100) {
    const emails = addresses
      .slice(from, from + 100)
      .map((to) => ({ from: testSender, to, subject: 'Hello', text: 'Hi' }));
    const { data } = await program.resend.batch.send(emails);
    ids.push(...(data?.data.map(({ id }) => id) ?? []));
  }
  return ids;
}

const named = (name: string, count: number, at: string): string[] =>
  Array.from({ length: count }, (_, no) => `${name}${no}@${at}`);

/** A broadcast to these addresses, which are new contacts. */
async function broadcast(name: string, addresses: readonly string[], options?: object): Promise<string> {
  const segmentId = newId();
  await database.execute({
    text: `WITH segment AS (
             INSERT INTO segments (id, team_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now()) RETURNING id
           ), added AS (
             INSERT INTO contacts (id, team_id, email, created_at, updated_at)
             SELECT id, $2, email, now(), now() FROM unnest($4::uuid[], $5::text[]) AS c (id, email) RETURNING id
           )
           INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at)
           SELECT segment.id, added.id, $2, now() FROM segment, added`,
    values: [segmentId, teamId, `Segment of ${name}`, addresses.map(() => newId()), addresses],
  });
  const html = '<p>Hi</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a>';
  const fields = { name, segment_id: segmentId, from: testSender, subject: name, html, options, send: true };
  const { status, json } = await call('/broadcasts', fields);
  expect(status).toBe(201);
  return json.id;
}

/** The counters of the provider know of so many deliveries. */
const counted = (delivered: number): Promise<boolean> =>
  until(async () => {
    const { providers } = (await call(`/domains/${domainId}/insights`)).json;
    return providers.find((of: ParsedJson) => of.provider === 'strict.test').delivered >= delivered;
  });

const arrived = (at: string): number =>
  sink.messages.filter(({ recipients }) => recipients.some((to) => to.endsWith(`@${at}`))).length;

describe('a provider that begins to refuse mail of a domain as spam', () => {
  let broadcastId: string;

  it('is noticed: the guard slows bulk mail to it, names the broadcast, and quotes the replies', async () => {
    await send(named('ann', 200, 'strict.test'));
    broadcastId = await broadcast('November offers', [
      ...named('bob', 276, 'strict.test'),
      ...named('spam', 24, 'strict.test'),
      ...named('carl', 50, 'easy.test'),
    ]);
    await stepIs('bulk_slowed');
    const { data, mode, limits } = await guard();
    expect([mode, limits.map((limit: ParsedJson) => limit.spam_refusal_rate)]).toEqual(['on', [1, 3, 10, 25, 50]]);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      provider: 'strict.test',
      step: 'bulk_slowed',
      messages_per_hour: 100,
      may_lift: true,
      effect: 'Bulk mail of sandbox.postrider.test to strict.test goes at 100 messages an hour.',
      reason: expect.stringMatching(/messages \([\d.]+%\) were refused as spam .* the limit is 3%\.$/),
      replies: [{ category: 'content', reply: '550 5.7.1 Message refused as spam', email_id: expect.any(String) }],
    });
    expect(data[0].cause).toMatchObject({
      type: 'broadcast',
      id: broadcastId,
      name: 'November offers',
      others_percent: 0,
    });
    const { payload } = await until(() => webhook.calls.find(({ body }) => body.includes('"step":"bulk_slowed"')));
    expect(payload).toMatchObject({
      type: 'domain.reputation_changed',
      data: {
        id: domainId,
        name: 'sandbox.postrider.test',
        provider: 'strict.test',
        direction: 'worse',
        step: 'bulk_slowed',
        because: 'evidence',
        cause: { type: 'broadcast', name: 'November offers' },
        replies: [{ reply: '550 5.7.1 Message refused as spam' }],
      },
    });
  });

  it('gets bulk mail slowly, while other mail and other providers go on', async () => {
    // What was claimed before the step has gone.
    await until(async () => arrived('easy.test') === 50);
    const before = arrived('strict.test');
    await broadcast('December news', [...named('dora', 60, 'strict.test'), ...named('emil', 20, 'easy.test')]);
    await until(() => arrived('easy.test') === 70);
    const [transactional] = await send(['fred@strict.test']);
    await until(async () => (await call(`/emails/${transactional}`)).json.last_event === 'delivered');
    // A twelfth of a hundred in five minutes.
    await until(() => arrived('strict.test') === before + 1 + 8);
    const waiting = await until(async () => {
      const [row] = await database.query<{ id: string; n: number }>({
        text: `SELECT min(email_id::text) AS id, count(*)::int AS n FROM outbound_queue WHERE lane LIKE '%paced:bulk:%' AND worker_id IS NULL`,
      });
      return row?.n === 52 && row.id;
    });
    const trace = (await call(`/emails/${waiting}/trace`)).json;
    expect(trace.recipients[0]).toMatchObject({
      lane: `us-east-1/default/paced:bulk:${domainId}:strict.test`,
      held_by: {
        kind: 'reputation_guard',
        until: expect.any(String),
        reason: expect.stringContaining(
          'The reputation guard: Bulk mail of sandbox.postrider.test to strict.test goes at 100',
        ),
      },
      attempts: [],
    });
    // The mail that was under way at the step has ended.
    clock.advance(5 * minute);
    await settled();
    await until(() => arrived('strict.test') === before + 1 + 16);
  });

  it('gets everything again once it accepts the mail', async () => {
    const before = arrived('strict.test');
    await send(named('gina', 150, 'strict.test'));
    await counted(before + 150);
    clock.advance(31 * minute);
    await stepIs('warned');
    await until(async () => {
      const [row] = await database.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM outbound_queue' });
      return row?.n === 0;
    });
    await send(named('hugo', 110, 'strict.test'));
    await until(() => sink.messages.some(({ recipients }) => recipients.includes('hugo109@strict.test')));
    await counted(arrived('strict.test'));
    clock.advance(36 * minute);
    await stepIs('none');
    const { json } = await call(`/domains/${domainId}/guard/changes`);
    const changes = json.data.map(({ step, because }: ParsedJson) => `${step} by ${because}`);
    // It may have warned first, where the first messages of the broadcast were counted before the others.
    expect(changes.slice(0, 3)).toEqual(['none by recovery', 'warned by recovery', 'bulk_slowed by evidence']);
    await until(() => webhook.calls.length === changes.length);
    expect(webhook.calls.map(({ payload }) => payload.data.direction).slice(-3)).toEqual(['worse', 'better', 'better']);
  });
});

describe('a person', () => {
  it('lifts a step, once: if the same happens again, only the operator may', async () => {
    const bad = (name: string): string[] => [
      ...named(name, 90, 'strict.test'),
      ...named(`spam-${name}`, 20, 'strict.test'),
    ];
    await send(bad('ida'));
    await stepIs('bulk_paused');
    await broadcast('Held back', named('karl', 30, 'strict.test'));
    await until(async () => {
      const [row] = await database.query<{ n: number }>({
        text: `SELECT count(*)::int AS n FROM outbound_queue WHERE lane LIKE '%paced:bulk:%'`,
      });
      return row?.n === 30;
    });
    const careful = await broadcast('Careful', named('mia', 30, 'easy.test'), { first_share: { contacts: 5 } });
    await until(async () => (await call(`/broadcasts/${careful}/progress`)).json.paused_because === 'reputation_guard');
    const lift = { provider: 'strict.test' };
    expect((await call(`/domains/${domainId}/guard/lift`, lift)).json).toEqual({
      object: 'domain_guard',
      id: domainId,
      provider: 'strict.test',
      step: 'none',
    });
    await until(() => sink.messages.some(({ recipients }) => recipients.includes('karl29@strict.test')));
    expect((await call(`/domains/${domainId}/guard/lift`, lift)).status).toBe(404);
    clock.advance(minute);
    await settled();
    await send(bad('lena'));
    await until(async () => (await stepOf('strict.test')) !== 'none');
    expect((await guard()).data[0].may_lift).toBe(false);
    const { status, json } = await call(`/domains/${domainId}/guard/lift`, lift);
    expect([status, json.name]).toEqual([409, 'resource_locked']);
  });

  it("does not see or lift what concerns another team's domain", async () => {
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const headers = { authorization: `Bearer ${apiKey}` };
    const asked = await Promise.all([
      fetch(`${program.url}/domains/${domainId}/guard`, { headers }),
      fetch(`${program.url}/domains/${domainId}/guard/changes`, { headers }),
      fetch(`${program.url}/domains/${domainId}/guard/lift`, {
        method: 'POST',
        headers,
        body: '{"provider":"strict.test"}',
      }),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('is told what is wrong with a request to lift', async () => {
    for (const body of [{}, { provider: 7 }, { provider: 'x'.repeat(101) }]) {
      expect((await call(`/domains/${domainId}/guard/lift`, body)).status).toBe(422);
    }
  });
});
