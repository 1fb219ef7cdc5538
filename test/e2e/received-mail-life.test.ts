import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { Retention } from '#postgres/retention';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';

/** What becomes of received mail with time: announced, erased, above the quota, past its retention. In this order. */
const dayMs = 86_400_000;
const ada = 'ada.person@privacy.test';
const clock = new TestClock();
let inbound: InboundProgram;

beforeAll(async () => {
  const environment = {
    ...inOneProcess,
    DAILY_QUOTA: '20',
    RETENTION_DAYS: '5',
    NOTICES_TO: 'Operator <ops@elsewhere.test>',
    NOTICES_FROM: 'notices@acme.test',
  };
  inbound = await InboundProgram.start(environment, new Adapters().use(Clock, clock));
});
afterAll(() => inbound.stop());

const database = () => inbound.program.postrider.app.get(Database);

async function call(method: string, path: string, body?: object) {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await inbound.program.request(path, init);
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

/** Tables of received mail that have the text, in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of ['received_emails', 'received_work', 'inbound_route_results', 'message_contents']) {
    const rows = await database().query({
      text: `SELECT FROM ${table} t WHERE lower(t::text) LIKE '%' || $1 || '%'
               OR t::text LIKE '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%' LIMIT 1`,
      values: [text],
    });
    if (rows.length > 0) found.push(table);
  }
  return found;
}

/** Bodies for the operations of routes with something wrong at each place, and some that are right by accident. */
function oddBodies(): readonly unknown[] {
  const valid = { recipient: 'a@acme.test', action: { type: 'drop' } };
  const wrong = [null, 0, 1e300, '', '\0', '\ud800', [null], {}, 'x'.repeat(5_000)];
  const fields = ['recipient', 'action', 'name', 'conditions', 'continue', 'enabled', 'position', 'headers'];
  const types = ['forward', 'smtp', 'lmtp', 'reject'];
  const at = (names: readonly string[], put: (name: string, value: unknown, index: number) => object) =>
    names.flatMap((name) => wrong.map((value, index) => ({ ...valid, ...put(name, value, index) })));
  return [
    undefined,
    ...wrong,
    ...at(fields, (name, value) => ({ [name]: value })),
    ...at(['type', 'to', 'host', 'port', 'text'], (name, value, index) => ({
      action: { type: types[index % types.length], [name]: value },
    })),
    ...at(['header', 'test', 'value', 'not'], (name, value) => ({
      conditions: [{ header: 'subject', value: 'x', [name]: value }],
    })),
    { ...valid, action: { type: 'forward', to: Array(11).fill('a@b.test') } },
    { ...valid, conditions: Array(50).fill({ header: 'x', value: 'y' }) },
  ];
}

it('requests of a wrong shape are refused with 400 or 422, and never end in trouble of ours', async () => {
  const route = { recipient: 'odd@acme.test', action: { type: 'drop' } };
  const { id } = (await call('POST', '/routes', route)).body as unknown as { id: string };
  const odd: unknown[] = [];
  const ask = async (method: string, path: string, body: unknown): Promise<void> => {
    const { status, body: answer } = await call(method, path, body as object);
    if (![200, 201, 400, 422].includes(status)) odd.push({ method, path, body, answer });
    if (status === 201) await call('DELETE', `/routes/${String(answer.id)}`);
  };
  const asked = ['POST /routes', `PATCH /routes/${id}`].flatMap((target) =>
    oddBodies().map((body) => [...target.split(' '), body] as [string, string, unknown]),
  );
  for (const value of [undefined, null, [], {}, { recipient: null }, { recipient: 'a@b.test', headers: { x: null } }]) {
    asked.push(['POST', '/routes/explain', value]);
  }
  while (asked.length > 0) await Promise.all(asked.splice(0, 16).map((request) => ask(...request)));
  for (const body of [
    {},
    { recipient: null, action: null },
    { ...route, recipient: null },
    { ...route, action: null },
  ]) {
    expect(await call('POST', '/routes', body)).toMatchObject({ status: 422 });
  }
  const { data } = await inbound.resend.domains.list();
  for (const list of ['dmarc', 'tls-reports', 'reports']) {
    for (const query of ['days=0', 'days=x', 'days=401', 'days=%00', 'limit=0', 'after=%00', 'days=1&days=2']) {
      await ask('GET', `/domains/${String(data?.data[0]?.id)}/${list}?${query}`, undefined);
    }
    expect((await call('GET', `/domains/x/${list}`)).status).toBe(422);
  }
  expect(odd).toEqual([]);
  await call('DELETE', `/routes/${id}`);
});

it('what is written to the postmaster of the server reaches its operator', async () => {
  const letter = 'From: ann@customer.test\nSubject: Your server\n\nIt sends spam.\n';
  for (const to of ['postmaster', 'Postmaster@mail.service.test', 'abuse@mail.service.test']) {
    expect(await inbound.bring(`${letter}${to}\n`, { to, from: 'ann@customer.test' })).toMatch(/^250/);
    // A second time, as after a lost 250.
    expect(await inbound.bring(`${letter}${to}\n`, { to, from: 'ann@customer.test' })).toMatch(/^250/);
  }
  expect(await inbound.bring(letter, { to: 'other@mail.service.test' })).toMatch(/^550 5\.7\.1/);
  const notices = () =>
    inbound.program.transport.delivered
      .filter(({ recipients }) => recipients.includes('ops@elsewhere.test'))
      .map(({ content }) => Buffer.from(content).toString());
  await until(() => notices().length >= 3);
  expect(notices()).toHaveLength(3);
  for (const to of ['postmaster', 'Postmaster@mail.service.test', 'abuse@mail.service.test']) {
    const notice = notices().find((text) => text.includes(`Subject: To ${to}: Your server`));
    expect(notice).toContain('It sends spam.');
    expect(notice).toContain('From: ann@customer.test');
  }
  expect((await call('GET', '/emails/receiving')).body).toMatchObject({ data: [] });
});

it('an endpoint that fails is told again, of the same event', async () => {
  const receiver = await WebhookReceiver.listen();
  receiver.react = () => (receiver.calls.length < 2 ? 500 : 200);
  const { data } = await inbound.resend.webhooks.create({ endpoint: receiver.url, events: ['email.received'] });
  const id = await inbound.received('From: a@b.test\nSubject: told\n\n.\n');
  await until(() => receiver.calls.length === 1);
  await until(() => {
    clock.advance(5_000);
    return receiver.accepted.length === 1;
  });
  expect(receiver.calls.map((each) => [each.id, each.payload.data.email_id])).toEqual([
    [receiver.calls[0]?.id, id],
    [receiver.calls[0]?.id, id],
  ]);
  await inbound.resend.webhooks.remove(data?.id ?? '');
  await receiver.close();
});

it('what a person wrote, and what was forwarded to the person, is exported and erased', async () => {
  const forward = { recipient: 'team@acme.test', action: { type: 'forward', to: [ada, 'bob@home.test'] } };
  expect((await call('POST', '/routes', forward)).status).toBe(201);
  const written = await inbound.received(`From: Ada <${ada}>\nSubject: Of Ada\n\ni am ada.\n`, { from: ada });
  const sent = await inbound.received('From: carl@other.test\nSubject: For all\n\n.\n', { to: 'team@acme.test' });
  const routing = async () =>
    (await call('GET', `/emails/receiving/${sent}/routing`)).body.data as unknown as { target: string }[];
  await until(async () => (await routing()).length === 2);
  expect(await tablesWith('i am ada.')).toEqual(['message_contents']);
  const exported = await call('POST', '/privacy/exports', { email: ada });
  expect(exported.body).toMatchObject({
    received: [{ id: written, subject: 'Of Ada' }],
    forwards: [{ received_id: sent, outcome: 'done' }],
  });

  const { body: erasure } = await call('POST', '/privacy/erasures', { email: ada });
  const done = await until(async () => {
    clock.advance(60_000);
    const { body } = await call('GET', `/privacy/erasures/${String(erasure.id)}`);
    return body.status === 'completed' ? body : undefined;
  });
  expect(done).toMatchObject({ counts: { received: 1, forwards: 1 } });
  expect((await call('GET', `/emails/receiving/${written}`)).status).toBe(404);
  expect((await routing()).map(({ target }) => target).sort()).toEqual(['bob@home.test', 'erased']);
  await until(async () => (await tablesWith(ada)).length === 0);
  expect(await tablesWith('i am ada.')).toEqual([]);
  expect((await call('GET', `/emails/receiving/${sent}`)).body).toMatchObject({ subject: 'For all' });
});

it('mail above the quota is kept and announced, and read once the quota allows it', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 21; count++) ids.push(await inbound.received(`Subject: ${count}\n\n.\n`));
  const last = ids.at(-1) as string;
  for (const path of ['', '/attachments']) {
    expect(await call('GET', `/emails/receiving/${last}${path}`)).toMatchObject({
      status: 403,
      body: { name: 'email_above_quota' },
    });
  }
  const { body: list } = await call('GET', '/emails/receiving?limit=1');
  expect(list).toMatchObject({ data: [{ id: last, subject: '20' }] });
  clock.advance(dayMs);
  const next = await inbound.received('Subject: next day\n\n.\n');
  expect((await call('GET', `/emails/receiving/${next}`)).status).toBe(200);
});

it('received mail is gone when its retention is over, with everything about it', async () => {
  const id = await inbound.received('From: late@other.test\nSubject: Late\n\nold news.\n');
  expect(await tablesWith('old news')).toEqual(['message_contents']);
  clock.advance(8 * dayMs);
  const report = await inbound.program.postrider.app.get(Retention, { strict: false }).run();
  expect(report?.keptDays).toEqual([]);
  expect((await call('GET', `/emails/receiving/${id}`)).status).toBe(404);
  expect((await call('GET', '/emails/receiving')).body).toMatchObject({ data: [] });
  expect(await tablesWith('old news')).toEqual([]);
  const left = await database().query({
    text: 'SELECT FROM inbound_route_results UNION ALL SELECT FROM received_receipts',
  });
  expect(left).toEqual([]);
});
