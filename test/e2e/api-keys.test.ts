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
