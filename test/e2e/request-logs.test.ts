import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Database } from '#postgres/database';
import { startPostrider } from '../../apps/server/src/postrider.js';
import { startProgram, testApiKey, testEnvironment, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { addMember, firstTeam } from '../support/builders/users.js';
import { until } from '../support/runner/until.js';

interface Log {
  readonly id: string;
  readonly endpoint: string;
  readonly method: string;
  readonly response_status: number;
  readonly user_agent: string | null;
  readonly request_body: unknown;
  readonly response_body: unknown;
}

let program: TestProgram;
const adapters = () => new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport());

beforeAll(async () => {
  program = await startProgram({}, adapters());
});

afterAll(() => program.stop());

/** The log of the one request with this user agent. */
async function logOf(userAgent: string): Promise<Log> {
  const summary = await until(async () => {
    const { data } = await program.resend.logs.list({ limit: 100 });
    return (data?.data as unknown as Log[]).find((log) => log.user_agent === userAgent);
  });
  const { data, error } = await program.resend.logs.get(summary.id);
  expect(error).toBeNull();
  return data as unknown as Log;
}

async function request(method: string, path: string, body?: unknown): Promise<{ log: Log; response: Response }> {
  const userAgent = `test/${newId()}`;
  const response = await program.request(path, {
    method,
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'user-agent': userAgent },
  });
  return { response, log: await logOf(userAgent) };
}

describe('the log of a request', () => {
  it('has the request and its response', async () => {
    const body = { from: testSender, to: 'a@customer.test', subject: 'Hi', text: 'Hello' };
    const { log, response } = await request('POST', '/emails?x=1', body);
    expect(log).toEqual({
      object: 'log',
      id: expect.any(String),
      created_at: expect.stringMatching(/\+00$/),
      endpoint: '/emails',
      method: 'POST',
      response_status: 200,
      user_agent: expect.any(String),
      request_body: body,
      response_body: await response.json(),
    });
  });

  it.each([
    ['POST', '/emails', { from: 'nonsense', to: 'a', subject: 's', text: 't' }, 422],
    ['POST', '/emails', '{"broken', 400],
    ['GET', `/emails/${newId()}`, undefined, 404],
    ['GET', '/nowhere', undefined, 404],
    ['PUT', '/emails', undefined, 405],
  ])('is written if %s %s is refused', async (method, path, body, status) => {
    const { log } = await request(method, path, body);
    expect(log).toMatchObject({ method, endpoint: path, response_status: status });
    expect(log.response_body).toMatchObject({ statusCode: status });
  });

  it('is written for a key without the permission, and not for an unknown key', async () => {
    const { data } = await program.resend.apiKeys.create({ name: 'Sender', permission: 'sending_access' });
    const restricted = `test/${newId()}`;
    await program.request('/logs', {
      headers: { authorization: `Bearer ${data?.token}`, 'user-agent': restricted },
    });
    const unknown = `test/${newId()}`;
    await program.request('/logs', { headers: { authorization: 'Bearer re_nobody', 'user-agent': unknown } });
    expect(await logOf(restricted)).toMatchObject({ response_status: 401 });
    const rows = await program.postrider.app
      .get(Database)
      .query({ text: 'SELECT 1 FROM request_logs WHERE user_agent = $1', values: [unknown] });
    expect(rows).toEqual([]);
  });

  it('shows no token', async () => {
    const { log, response } = await request('POST', '/api-keys', { name: 'Secret' });
    const { id } = (await response.json()) as { id: string };
    expect(log.response_body).toEqual({ id, token: '***' });
    expect(JSON.stringify(log)).not.toContain(testApiKey);
  });

  it('has long values cut', async () => {
    const attachments = [{ filename: 'a.txt', content: Buffer.alloc(3_000_000).toString('base64') }];
    const body = { from: testSender, to: 'a@customer.test', subject: 'Hi', text: 'Hello', attachments };
    const { log } = await request('POST', '/emails', body);
    expect(JSON.stringify(log).length).toBeLessThan(5_000);
    expect(log.request_body).toMatchObject({ attachments: [{ filename: 'a.txt' }] });
  });

  it('is written if its text cannot be stored in PostgreSQL unchanged', async () => {
    const { log } = await request('POST', '/emails', { from: 'ab', subject: '\ud800' });
    expect(log.request_body).toEqual({ from: 'ab', subject: '\ufffd' });
  });

  it('is unknown to another team, and refused for a malformed id', async () => {
    const { log } = await request('GET', '/emails');
    const stranger = new Resend((await addSecondTeam(program.postrider.app)).apiKey, { baseUrl: program.url });
    expect((await stranger.logs.get(log.id)).error).toMatchObject({ statusCode: 404, message: 'Log not found' });
    expect((await program.resend.logs.get('nonsense')).error).toMatchObject({
      statusCode: 422,
      message: 'The `logId` must be a valid UUID.',
    });
  });
});

describe('requests of pages', () => {
  it('are told from those of programs, and previews are not kept', async () => {
    const { browser } = await addMember(program, await firstTeam(program), 'owner');
    const team = { 'x-team': await firstTeam(program) };
    const before = newId();
    for (const body of [{ filter: {} }, { filter: 'nonsense' }]) {
      await browser.request('/segments/preview', { method: 'POST', body, headers: team });
    }
    expect(
      (await browser.request('/segments', { method: 'POST', body: { name: 'Paged' }, headers: team })).status,
    ).toBe(201);
    await request('POST', '/segments/preview', { filter: {} });
    const shown = async (origin: string): Promise<string[]> => {
      const response = await program.request(`/logs?limit=100&origin=${origin}&before=${before}`);
      const { data } = (await response.json()) as { data: Log[] };
      return data.filter(({ endpoint }) => endpoint.startsWith('/segments')).map(({ endpoint }) => endpoint);
    };
    expect(await until(async () => ((await shown('dashboard')).length > 0 ? shown('dashboard') : undefined))).toEqual([
      '/segments',
    ]);
    expect(await shown('api')).toEqual(['/segments/preview']);
    expect((await program.request('/logs?origin=phone')).status).toBe(422);
  });
});

describe('logs', () => {
  it('are listed newest first in pages', async () => {
    for (let count = 0; count < 3; count++) await request('GET', '/api-keys');
    const { data } = await program.resend.logs.list({ limit: 2 });
    const ids = data?.data.map(({ id }) => id) ?? [];
    expect(ids).toEqual([...ids].sort().reverse());
    expect(data?.has_more).toBe(true);
    const next = await program.resend.logs.list({ limit: 1, after: ids[1] as string });
    expect((next.data?.data[0]?.id ?? '') < (ids[1] as string)).toBe(true);
  });

  it('that still wait are written when the program stops', async () => {
    const environment = testEnvironment(program.database, './data');
    const other = await startPostrider({ config: readConfig({ ...environment, ROLES: 'api' }), adapters: adapters() });
    const userAgent = `test/${newId()}`;
    await fetch(`${other.url}/emails`, {
      headers: { authorization: `Bearer ${testApiKey}`, 'user-agent': userAgent },
    });
    await other.stop();
    const rows = await program.postrider.app
      .get(Database)
      .query({ text: 'SELECT 1 FROM request_logs WHERE user_agent = $1', values: [userAgent] });
    expect(rows).toHaveLength(1);
  });
});
