import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { TestClock } from '../support/fakes/test-clock.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

const hour = 3_600_000;
const dns = new InMemoryDnsResolver();
const clock = new TestClock();
let sink: SmtpSink;
let program: TestProgram;
let database: Database;
let domainId: string;

beforeAll(async () => {
  // The clock stands at the beginning of a day, so that no hour ends by itself.
  clock.advance(-(clock.now().getTime() % (24 * hour)));
  sink = await SmtpSink.listen({ host: '127.0.0.2', keep: true });
  for (const name of ['big.test', 'small.test']) {
    dns.set(name, { mx: [{ exchange: `mx.${name}`, preference: 10 }] });
    dns.set(`mx.${name}`, { a: ['127.0.0.2'] });
  }
  program = await startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(sink.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
      RATE_LIMIT_PER_SECOND: '10000',
    },
    new Adapters().use(DnsResolver, dns).use(Clock, clock),
  );
  database = program.postrider.app.get(Database);
  domainId = (await program.resend.domains.list()).data?.data[0]?.id ?? '';
});

afterAll(async () => {
  await program.stop();
  await sink.close();
});

async function call(method: string, path: string, body?: object): Promise<{ status: number; json: ParsedJson }> {
  const response = await program.request(path, { method, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, json: await response.json() };
}

const warmUp = async (): Promise<ParsedJson> => (await call('GET', `/domains/${domainId}/warm-up`)).json;
const put = (body: object = {}): Promise<{ status: number; json: ParsedJson }> =>
  call('PUT', `/domains/${domainId}/warm-up`, body);

async function send(name: string, count: number, at: string): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, no) => ({
    from: testSender,
    to: `${name}${no}@${at}`,
    subject: 'Hello',
    text: 'Hi',
  }));
  const { data } = await program.resend.batch.send(emails);
  return data?.data.map(({ id }) => id) ?? [];
}

/** As if these emails were of a broadcast. */
async function makeBulk(ids: readonly string[]): Promise<void> {
  await database.execute({ text: 'UPDATE outbound_queue SET is_bulk = true WHERE email_id = ANY ($1)', values: [ids] });
}

const arrived = (name: string, at = 'big.test'): number =>
  sink.messages.filter(({ recipients }) => recipients.some((to) => to.startsWith(name) && to.endsWith(`@${at}`)))
    .length;

const lanes = async (): Promise<Record<string, number>> => {
  const rows = await database.query<{ lane: string; n: number }>({
    text: 'SELECT lane, count(*)::int AS n FROM outbound_queue WHERE worker_id IS NULL GROUP BY lane',
  });
  return Object.fromEntries(rows.map(({ lane, n }) => [lane, n]));
};
const waiting = async (): Promise<number> =>
  (await database.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM outbound_queue' }))[0]?.n ?? 0;
const lane = (kind: string): string => `us-east-1/default/paced:${kind}:${domainId}:big.test`;

describe('a domain that warms up', () => {
  it('says that it does, with the schedule', async () => {
    expect(await warmUp()).toMatchObject({ status: 'off', started_at: null, schedule: [], data: [] });
    const { status, json } = await put({ schedule: [15, 100] });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'domain_warm_up',
      id: domainId,
      status: 'running',
      schedule: [15, 100],
      data: [],
    });
    expect((await call('GET', `/domains/${domainId}/warm-up`)).json).toEqual(json);
  });

  it('sends to each provider what an hour may have, and the rest waits with its reason', async () => {
    const ids = await send('ann', 13, 'big.test');
    await send('bob', 3, 'small.test');
    await until(() => arrived('ann') === 10 && arrived('bob', 'small.test') === 3);
    await until(async () => (await waiting()) === 3);
    const { data } = await warmUp();
    expect(data.map((of: ParsedJson) => of.provider)).toEqual(['big.test', 'small.test']);
    expect(data[0]).toMatchObject({
      day: 1,
      limit: 15,
      sent_today: 10,
      hourly_limit: 10,
      sent_this_hour: 10,
      is_waiting: true,
      is_slowed: false,
      last_day: null,
      is_done: false,
      reason: expect.stringContaining('10 messages of sandbox.postrider.test to big.test went this hour'),
    });
    expect(data[1]).toMatchObject({ sent_today: 3, is_waiting: false, next_at: null, reason: '' });
    const traces = await Promise.all(ids.map(async (id) => (await call('GET', `/emails/${id}/trace`)).json));
    const holds = traces.flatMap(({ recipients }) => recipients[0].held_by ?? []);
    expect(holds).toHaveLength(3);
    expect(holds[0]).toMatchObject({
      kind: 'warm_up',
      until: expect.stringContaining(' 01:00:00'),
      reason: expect.stringContaining('where the limit is 10, a part of the 15 of today.'),
    });
  });

  it('sends transactional mail before bulk mail in the next hour', async () => {
    const bulk = await send('carl', 8, 'big.test');
    await until(async () => (await lanes())[lane('all')] === 11);
    await makeBulk(bulk);
    await database.execute({
      text: 'UPDATE outbound_queue SET lane = $1 WHERE email_id = ANY ($2)',
      values: [lane('bulk'), bulk],
    });
    clock.advance(hour);
    await until(() => arrived('ann') === 13 && arrived('carl') === 2);
    await until(async () => (await lanes())[lane('bulk')] === 6);
    expect((await warmUp()).data[0]).toMatchObject({ sent_today: 15, next_at: expect.stringContaining(' 00:00:00') });
  });

  it('sends more on the day after a good one', async () => {
    clock.advance(23 * hour);
    await until(() => arrived('carl') === 8);
    const { data } = await warmUp();
    expect(data.find((of: ParsedJson) => of.provider === 'big.test')).toMatchObject({
      day: 2,
      limit: 100,
      sent_today: 6,
      is_waiting: false,
      last_day: { limit: 15, sent: 15, deferred_or_refused: 0, percent: 0, decision: 'advanced' },
    });
    expect(data.find((of: ParsedJson) => of.provider === 'small.test')).toMatchObject({
      day: 1,
      limit: 15,
      sent_today: 0,
      last_day: { sent: 3, decision: 'too_little_mail' },
      reason: 'The limit stays, because only 3 of 15 messages went on the last day.',
    });
  });

  it('sends all that waits once a person ends it', async () => {
    await send('dora', 30, 'big.test');
    await until(() => arrived('dora') === 4);
    const { status, json } = await call('DELETE', `/domains/${domainId}/warm-up`);
    expect([status, json]).toEqual([200, { object: 'domain_warm_up', id: domainId, deleted: true }]);
    await until(() => arrived('dora') === 30);
    expect(await warmUp()).toMatchObject({
      status: 'ended',
      ended_at: expect.any(String),
      projected_end: null,
      data: [],
    });
    expect((await call('DELETE', `/domains/${domainId}/warm-up`)).status).toBe(404);
  });

  it('is in the audit log', async () => {
    const rows = await database.query<{ action: string; outcome: string }>({
      text: `SELECT action, outcome FROM audit_entries WHERE target_id = $1 ORDER BY id`,
      values: [domainId],
    });
    expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'domains.warm-up.update done',
      'domains.warm-up.delete done',
    ]);
  });
});

it("another team's domain is not found", async () => {
  const { apiKey } = await addSecondTeam(program.postrider.app);
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const asked = await Promise.all(
    [{}, { method: 'PUT', body: '{}' }, { method: 'DELETE' }].map((init) =>
      fetch(`${program.url}/domains/${domainId}/warm-up`, {
        headers: init.method === 'PUT' ? headers : { authorization: headers.authorization },
        ...init,
      }),
    ),
  );
  expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
});

it.each([[[]], [[0]], [['many']], [[50, 40]], [[1.5]], ['all'], [Array.from({ length: 91 }, () => 50)]])(
  'the schedule %j is refused',
  async (...[schedule]) => {
    expect((await put({ schedule })).status).toBe(422);
  },
);
