import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, testEnvironment, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';
import { readConfig } from '#platform/config';
import { startPostrider } from '../../apps/server/src/postrider.js';

let program: TestProgram;
let resend: Resend;

const adapters = () => new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport());

beforeAll(async () => {
  program = await startProgram({}, adapters());
  resend = program.resend;
});

afterAll(() => program.stop());

function clientOf(key: string): Resend {
  return new Resend(key, { baseUrl: program.url });
}

async function sandboxDomainId(): Promise<string> {
  const [row] = await program.postrider.app.get(Database).query<{ id: string }>({ text: 'SELECT id FROM domains' });
  return row?.id as string;
}

async function create(options: Parameters<Resend['apiKeys']['create']>[0]): Promise<{ id: string; token: string }> {
  const { data, error } = await resend.apiKeys.create(options);
  expect(error).toBeNull();
  return data as { id: string; token: string };
}

const mail = { from: testSender, to: 'someone@customer.test', subject: 'Hi', text: 'Hello' };

describe('API keys', () => {
  it('are created with a token that works at once and is shown only then', async () => {
    const { id, token } = await create({ name: 'Production' });
    expect(token).toMatch(/^re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}$/);
    const { data } = await clientOf(token).apiKeys.list();
    const shown = data?.data.find((key) => key.id === id);
    expect(shown).toMatchObject({ name: 'Production', created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d .*\+00$/) });
    expect(JSON.stringify(data)).not.toContain(token);
  });

  it('return 201 on creation and 200 otherwise', async () => {
    const created = await program.request('/api-keys', { method: 'POST', body: JSON.stringify({ name: '' }) });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    const removed = await program.request(`/api-keys/${id}`, { method: 'DELETE' });
    expect([removed.status, await removed.json()]).toEqual([200, { object: 'api_key', id, deleted: true }]);
  });

  it('are renamed', async () => {
    const { id } = await create({ name: 'Old' });
    const { data } = await resend.apiKeys.update(id, { name: 'New' });
    expect(data).toEqual({ object: 'api_key', id });
    const { data: list } = await resend.apiKeys.list();
    expect(list?.data.find((key) => key.id === id)?.name).toBe('New');
  });

  it('stop working the moment they are deleted', async () => {
    const { id, token } = await create({ name: 'Leaked' });
    expect((await clientOf(token).apiKeys.list()).error).toBeNull();
    expect((await resend.apiKeys.remove(id)).data).toEqual({ object: 'api_key', id, deleted: true });
    expect((await clientOf(token).apiKeys.list()).error).toMatchObject({ message: 'API key is invalid' });
  });

  it('stop working in every process when they are deleted in one', async () => {
    const { id, token } = await create({ name: 'Leaked' });
    const config = readConfig({ ...testEnvironment(program.database, './data'), ROLES: 'api' });
    const other = await startPostrider({ config, adapters: adapters() });
    try {
      const elsewhere = new Resend(token, { baseUrl: other.url });
      expect((await elsewhere.apiKeys.list()).error).toBeNull();
      await resend.apiKeys.remove(id);
      // Within the ten seconds for which a process caches a key.
      await until(async () => (await elsewhere.apiKeys.list()).error !== null, 8_000);
    } finally {
      await other.stop();
    }
  });

  it('with sending access may send and nothing else', async () => {
    const { token } = await create({ name: 'Sender', permission: 'sending_access' });
    expect((await clientOf(token).emails.send(mail)).error).toBeNull();
    expect((await clientOf(token).apiKeys.list()).error).toMatchObject({ name: 'restricted_api_key', statusCode: 401 });
  });

  it('bound to a domain may send from that domain only', async () => {
    const { token } = await create({
      name: 'Bound',
      permission: 'sending_access',
      domain_id: await sandboxDomainId(),
    } as never);
    expect((await clientOf(token).emails.send(mail)).error).toBeNull();
    await program.postrider.app.get(Database).execute({
      text: `INSERT INTO domains SELECT $1, team_id, 'other.test', status, region, custom_return_path, false, now() FROM domains LIMIT 1`,
      values: [newId()],
    });
    const { error } = await clientOf(token).emails.send({ ...mail, from: 'a@other.test' });
    expect(error).toMatchObject({ statusCode: 403, name: 'validation_error' });
  });

  it.each([
    ['no name', {}, 'missing_required_field', 'Missing `name` field.'],
    ['a long name', { name: 'x'.repeat(51) }, 'validation_error', /at most 50/],
    ['an unknown permission', { name: 'a', permission: 'root' }, 'invalid_access', /^Access must be/],
    ['a domain with full access', { name: 'a', domain_id: newId() }, 'validation_error', /sending_access/],
    [
      'an unknown domain',
      { name: 'a', permission: 'sending_access', domain_id: newId() },
      'validation_error',
      /one of your domains/,
    ],
  ])('are refused with %s', async (_, body, name, message) => {
    const response = await program.request('/api-keys', { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ statusCode: 422, name, message: expect.stringMatching(message) });
  });

  it('of another team are unknown', async () => {
    const { id } = await create({ name: 'Ours' });
    const other = await addSecondTeam(program.postrider.app);
    const stranger = clientOf(other.apiKey);
    expect((await stranger.apiKeys.remove(id)).error).toEqual({
      statusCode: 404,
      name: 'not_found',
      message: 'API key not found',
    });
    expect((await stranger.apiKeys.list()).data?.data).toHaveLength(1);
  });

  it('of a team always include one with full access', async () => {
    const other = await addSecondTeam(program.postrider.app);
    const client = clientOf(other.apiKey);
    const { data } = await client.apiKeys.list();
    const { error } = await client.apiKeys.remove(data?.data[0]?.id as string);
    expect(error).toMatchObject({ statusCode: 403, message: expect.stringContaining('Create another one') });
  });

  it('are listed as a whole or in pages', async () => {
    const all = (await resend.apiKeys.list()).data;
    expect(all?.has_more).toBe(false);
    const first = await resend.apiKeys.list({ limit: 1 });
    expect(first.data?.has_more).toBe(true);
    const second = await resend.apiKeys.list({ limit: 1, after: first.data?.data[0]?.id as string });
    expect(second.data?.data[0]?.id).toBe(all?.data[1]?.id);
    const back = await resend.apiKeys.list({ limit: 1, before: second.data?.data[0]?.id as string });
    expect(back.data?.data[0]?.id).toBe(all?.data[0]?.id);
  });

  it('remember when they were last used, across a restart', async () => {
    const { id, token } = await create({ name: 'Used' });
    await clientOf(token).apiKeys.list();
    const { data } = await resend.apiKeys.list();
    expect(data?.data.find((key) => key.id === id)).toMatchObject({ last_used_at: expect.any(String) });

    const environment = testEnvironment(program.database, './data');
    const second = await startPostrider({ config: readConfig({ ...environment, ROLES: 'api' }), adapters: adapters() });
    const used = await create({ name: 'Used elsewhere' });
    await new Resend(used.token, { baseUrl: second.url }).apiKeys.list();
    await second.stop();
    const after = await resend.apiKeys.list();
    expect(after.data?.data.find((key) => key.id === used.id)).toMatchObject({ last_used_at: expect.any(String) });
  });
});

describe('the rules of an API key', () => {
  interface Rules {
    readonly allowed_ips?: readonly string[];
    readonly allowed_recipient_domains?: readonly string[];
    readonly daily_limit?: number;
    readonly only_drafts?: boolean;
  }
  const withRules = (rules: Rules, permission = 'sending_access') =>
    create({ name: 'Agent', permission, ...rules } as never);
  const ask = (token: string, path: string, init: RequestInit = {}) =>
    program.request(path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const send = (token: string, fields: object = {}) =>
    ask(token, '/emails', { method: 'POST', body: JSON.stringify({ ...mail, ...fields }) });
  const patch = async (id: string, rules: Rules): Promise<void> => {
    const { status } = await program.request(`/api-keys/${id}`, { method: 'PATCH', body: JSON.stringify(rules) });
    expect(status).toBe(200);
  };
  const listed = async (id: string) => (await resend.apiKeys.list()).data?.data.find((key) => key.id === id);
  const refusal = async (response: Response) => [
    response.status,
    ((await response.json()) as { message: string }).message,
  ];

  it('accept it from its networks only, whatever a client says of its address', async () => {
    const { id, token } = await withRules({ allowed_ips: ['203.0.113.0/24', '2001:DB8::/32'] }, 'full_access');
    expect(await listed(id)).toMatchObject({
      permission: 'full_access',
      allowed_ips: ['203.0.113.0/24', '2001:db8::/32'],
    });
    const refused = [403, expect.stringMatching(/^This API key is refused from (127\.0\.0\.1|::1): .*`allowed_ips`/)];
    expect(await refusal(await ask(token, '/domains'))).toEqual(refused);
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'client-ip']) {
      const value = header === 'forwarded' ? 'for=203.0.113.7' : '203.0.113.7';
      expect(await refusal(await ask(token, '/domains', { headers: { [header]: value } }))).toEqual(refused);
    }
    await patch(id, { allowed_ips: ['127.0.0.0/8', '::1'] });
    expect((await ask(token, '/domains')).status).toBe(200);
    await patch(id, { allowed_ips: ['192.0.2.1'] });
    expect((await ask(token, '/domains')).status).toBe(403);
    await patch(id, { allowed_ips: [] });
    expect([(await ask(token, '/domains')).status, await listed(id)]).toMatchObject([200, { allowed_ips: null }]);
  });

  it('let it send to its domains only, by any field and in a batch', async () => {
    const { token } = await withRules({ allowed_recipient_domains: ['Customer.test', 'bücher.test'] });
    expect((await send(token, { cc: 'a@CUSTOMER.test', bcc: 'b@xn--bcher-kva.test' })).status).toBe(200);
    for (const to of ['a@other.test', 'a@sub.customer.test', 'a@customer.test.other.test']) {
      const [status, message] = await refusal(await send(token, { bcc: to }));
      expect([status, message]).toEqual([403, expect.stringContaining('`allowed_recipient_domains`')]);
      expect(
        (await ask(token, '/emails/dry-run', { method: 'POST', body: JSON.stringify({ ...mail, to }) })).status,
      ).toBe(403);
    }
    const batch = await ask(token, '/emails/batch', {
      method: 'POST',
      body: JSON.stringify([mail, { ...mail, to: 'a@other.test' }]),
      headers: { 'x-batch-validation': 'permissive' },
    });
    expect(await batch.json()).toMatchObject({ data: [{ id: expect.any(String) }], errors: [{ index: 1 }] });
    const [status, message] = await refusal(await ask(token, `/broadcasts/${newId()}/send`, { method: 'POST' }));
    expect([status, message]).toEqual([
      403,
      expect.stringContaining('broadcasts: its rule `allowed_recipient_domains`'),
    ]);
  });

  it('let it send so many a day, also in a race, and count what was accepted alone', async () => {
    const { id, token } = await withRules({ daily_limit: 7 });
    expect((await send(token, { from: 'nobody@unknown.test' })).status).toBe(403);
    const race = await Promise.all(Array.from({ length: 20 }, () => send(token, { cc: 'b@customer.test' })));
    const statuses = race.map(({ status }) => status).sort();
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([3, 429]);
    const last = await send(token, { cc: 'b@customer.test' });
    expect(last.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await last.json()).toMatchObject({
      name: 'daily_quota_exceeded',
      message: expect.stringContaining('`daily_limit`: 7'),
    });
    expect((await send(token)).status).toBe(200);
    expect((await send(token)).status).toBe(429);
    expect((await resend.emails.send(mail)).error).toBeNull();
    const [row] = await program.postrider.app.get(Database).query<{ sent: string }>({
      text: 'SELECT sent FROM api_key_usage WHERE api_key_id = $1',
      values: [id],
    });
    expect(Number(row?.sent)).toBe(7);
    await patch(id, { daily_limit: 8 });
    expect((await send(token)).status).toBe(200);
    await patch(id, { daily_limit: 0 });
    expect((await send(token)).status).toBe(200);
  });

  it('let it read and write drafts, and neither send nor make anything that does', async () => {
    const { id, token } = await withRules({ only_drafts: true }, 'full_access');
    expect(await listed(id)).toMatchObject({ permission: 'full_access', only_drafts: true });
    const post = (path: string, body: object = {}) => ask(token, path, { method: 'POST', body: JSON.stringify(body) });
    const { id: segment } = (await (
      await program.request('/segments', { method: 'POST', body: JSON.stringify({ name: 'Readers' }) })
    ).json()) as { id: string };
    const letter = { segment_id: segment, from: mail.from, subject: 'Hello', html: '<p>Hello</p>' };

    expect((await ask(token, '/domains')).status).toBe(200);
    const draft = await post('/broadcasts', letter);
    expect(draft.status).toBe(201);
    const { id: broadcast } = (await draft.json()) as { id: string };

    const requests: [string, object][] = [
      ['/emails', mail],
      ['/emails/batch', [mail]],
      ['/emails/dry-run', mail],
      [`/broadcasts/${broadcast}/send`, {}],
      ['/broadcasts', { ...letter, send: true }],
      ['/api-keys', { name: 'Another' }],
      ['/automations', { name: 'Another' }],
      ['/events/send', { event: 'a', email: 'a@customer.test' }],
      ['/contacts', { email: 'a@customer.test' }],
      ['/templates', { name: 'A', html: '<p>A</p>' }],
      ['/webhooks', { endpoint: 'https://hooks.test/', events: ['email.sent'] }],
      ['/domains', { name: 'other.test' }],
    ];
    for (const [path, body] of requests) {
      const [status, message] = await refusal(await post(path, body));
      expect([path, status, message]).toEqual([path, 403, expect.stringContaining('`only_drafts`')]);
    }

    const schedule = JSON.stringify({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await program.request(`/broadcasts/${broadcast}/send`, { method: 'POST', body: schedule })).status).toBe(
      200,
    );
    const change = { method: 'PATCH', body: JSON.stringify({ subject: 'Something else' }) };
    expect((await ask(token, `/broadcasts/${broadcast}`, change)).status).toBe(403);

    await patch(id, { only_drafts: false });
    expect((await send(token)).status).toBe(200);
  });

  it('leave a team a key with full access', async () => {
    const other = await addSecondTeam(program.postrider.app);
    const keys = (await (await ask(other.apiKey, '/api-keys')).json()) as { data: { id: string }[] };
    const draftsOnly = (id = '') =>
      ask(other.apiKey, `/api-keys/${id}`, { method: 'PATCH', body: JSON.stringify({ only_drafts: true }) });
    const [status, message] = await refusal(await draftsOnly(keys.data[0]?.id));
    expect([keys.data.length, status, message]).toEqual([1, 403, expect.stringContaining('last API key')]);
  });

  it.each<[object, string]>([
    [{ allowed_ips: '127.0.0.1' }, 'array of strings'],
    [{ allowed_ips: ['office'] }, 'addresses or networks'],
    [{ allowed_ips: ['10.0.0.0/33'] }, 'addresses or networks'],
    [{ allowed_ips: ['2001:db8::/129'] }, 'addresses or networks'],
    [{ allowed_ips: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`) }, 'at most 50'],
    [{ allowed_recipient_domains: ['*'] }, 'must have domains'],
    [{ allowed_recipient_domains: ['a.test'], permission: 'full_access' }, '`sending_access`'],
    [{ daily_limit: -1 }, 'at least 0'],
    [{ daily_limit: 1.5 }, 'whole number'],
    [{ daily_limit: 5, permission: 'full_access' }, '`sending_access`'],
    [{ only_drafts: true }, '`full_access`'],
    [{ only_drafts: 'yes', permission: 'full_access' }, 'boolean'],
  ])('are refused where they are %j', async (rules, message) => {
    const body = JSON.stringify({ name: 'Agent', permission: 'sending_access', ...rules });
    const response = await program.request('/api-keys', { method: 'POST', body });
    expect(await refusal(response)).toEqual([422, expect.stringContaining(message)]);
  });

  it('are not changed by another team, nor for a key with full access', async () => {
    const [sending, full] = [await withRules({ daily_limit: 1 }), await withRules({}, 'full_access')];
    const other = await addSecondTeam(program.postrider.app);
    const change = (key: string, id: string, body: Rules) =>
      ask(key, `/api-keys/${id}`, { method: 'PATCH', body: JSON.stringify(body) });
    expect((await change(other.apiKey, sending.id, { daily_limit: 0 })).status).toBe(404);
    expect((await change(sending.token, sending.id, { daily_limit: 0 })).status).toBe(401);
    expect((await change(full.token, full.id, { daily_limit: 5 })).status).toBe(422);
    expect(await listed(sending.id)).toMatchObject({ daily_limit: 1 });
  });
});
