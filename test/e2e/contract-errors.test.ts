import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
});

afterAll(() => program.stop());

const valid = { from: testSender, to: 'ann@sink.test', subject: 'Hello', text: 'Hi' };

async function post(body: unknown): Promise<{ status: number; body: unknown; type: string | null }> {
  const response = await program.request('/emails', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json(), type: response.headers.get('content-type') };
}

describe('a send request that cannot be accepted', () => {
  it.each<[string, unknown, number, string, RegExp]>([
    ['malformed JSON', '{"from":', 400, 'validation_error', /not valid JSON/],
    ['an array', '[]', 422, 'validation_error', /JSON object/],
    ['a string', '"hello"', 422, 'validation_error', /JSON object/],
    ['no body', '', 422, 'validation_error', /JSON object/],
    ['prototype pollution', '{"__proto__":{"a":1}}', 400, 'validation_error', /not valid JSON/],
    ['no from', { ...valid, from: undefined }, 422, 'missing_required_field', /^Missing `from` field\.$/],
    ['an empty from', { ...valid, from: '' }, 422, 'missing_required_field', /`from`/],
    ['no to', { ...valid, to: undefined }, 422, 'missing_required_field', /`to`/],
    ['an empty list of recipients', { ...valid, to: [] }, 422, 'missing_required_field', /`to`/],
    ['no subject', { ...valid, subject: null }, 422, 'missing_required_field', /`subject`/],
    [
      'no from, and attachments and a time that cannot be read',
      { attachments: [{ filename: 'a' }], scheduled_at: 'whenever' },
      422,
      'missing_required_field',
      /`from`/,
    ],
    [
      'no recipients, and a from that cannot be read',
      { ...valid, from: 'nobody', to: [] },
      422,
      'missing_required_field',
      /`to`/,
    ],
    [
      'no content, and an attachment without content',
      { ...valid, text: undefined, attachments: [{ filename: 'a' }] },
      422,
      'validation_error',
      /^Missing `html` or `text` field\.$/,
    ],
    [
      'a template and no recipients, and an attachment without content',
      { template: { id: 'welcome' }, attachments: [{ filename: 'a' }] },
      422,
      'missing_required_field',
      /`to`/,
    ],
    ['no content', { ...valid, text: undefined }, 422, 'validation_error', /^Missing `html` or `text` field\.$/],
    ['a number as from', { ...valid, from: 17 }, 422, 'validation_error', /`from`/],
    ['an object as to', { ...valid, to: { a: 1 } }, 422, 'validation_error', /`to`/],
    ['numbers in cc', { ...valid, cc: [1] }, 422, 'validation_error', /`cc`/],
    ['an invalid from', { ...valid, from: 'not an address' }, 422, 'validation_error', /Invalid `from` field/],
    ['an invalid recipient', { ...valid, to: ['ann@sink.test', 'x@'] }, 422, 'validation_error', /Invalid `to` field/],
    [
      'a line break in a name',
      { ...valid, from: 'A\r\nBcc: x@y.test <a@sandbox.postrider.test>' },
      422,
      'validation_error',
      /`from`/,
    ],
    ['a line break in the subject', { ...valid, subject: 'a\r\nBcc: x@y.test' }, 422, 'validation_error', /`subject`/],
    [
      'a line break in a header',
      { ...valid, headers: { 'X-A': 'a\r\nBcc: x@y.test' } },
      422,
      'validation_error',
      /X-A/,
    ],
    [
      'a header that only the program may set',
      { ...valid, headers: { Bcc: 'x@y.test' } },
      422,
      'validation_error',
      /Bcc/,
    ],
    ['a header name with a colon', { ...valid, headers: { 'X:A': 'a' } }, 422, 'validation_error', /header name/],
    [
      '51 recipients',
      { ...valid, to: Array.from({ length: 51 }, (_, n) => `u${n}@sink.test`) },
      422,
      'validation_error',
      /50/,
    ],
    ['a tag with a space', { ...valid, tags: [{ name: 'a b', value: 'c' }] }, 422, 'validation_error', /Tags/],
    ['tags of the wrong shape', { ...valid, tags: { a: 'b' } }, 422, 'validation_error', /`tags`/],
    ['a fake recipient', { ...valid, to: 'ann@example.com' }, 422, 'validation_error', /testing address/],
    [
      'an unregistered domain',
      { ...valid, from: 'a@other.test' },
      403,
      'validation_error',
      /other\.test domain is not verified/,
    ],
    ['a template', { ...valid, text: undefined, template: { id: 'welcome' } }, 404, 'not_found', /Template not found/],
    ['a template and html', { ...valid, html: 'x', template: { id: 'welcome' } }, 422, 'validation_error', /together/],
    ['a topic', { ...valid, topic_id: '6f1f9b1e-0000-4000-8000-000000000000' }, 404, 'not_found', /Topic not found/],
    [
      'an attachment without content',
      { ...valid, attachments: [{ filename: 'a.txt' }] },
      422,
      'invalid_attachment',
      /content/,
    ],
    [
      'an attached program',
      { ...valid, attachments: [{ filename: 'a.exe', content: 'aGk=' }] },
      422,
      'invalid_attachment',
      /exe/,
    ],
    ['a time in no known format', { ...valid, scheduled_at: 'whenever' }, 422, 'validation_error', /scheduled_at/],
    ['a time too far ahead', { ...valid, scheduled_at: '2099-01-01T00:00:00Z' }, 422, 'validation_error', /30 days/],
  ])('%s gets the contract’s error', async (_, body, status, name, message) => {
    const response = await post(body);
    expect(response).toMatchObject({
      status,
      body: { statusCode: status, name },
      type: 'application/json; charset=utf-8',
    });
    expect((response.body as { message: string }).message).toMatch(message);
    expect(Object.keys(response.body as object).sort()).toEqual(['message', 'name', 'statusCode']);
  });

  it('leaves nothing behind', async () => {
    const database = program.postrider.app.get(Database);
    expect(await database.query({ text: 'SELECT count(*)::int AS n FROM emails' })).toEqual([{ n: 0 }]);
  });

  it('is refused during the upload if it is too large', async () => {
    const response = await post({ ...valid, text: 'x'.repeat(41 * 1024 * 1024) });
    expect(response).toMatchObject({ status: 413, body: { statusCode: 413, name: 'validation_error' } });
  });
});

it('a large body is not read without an API key', async () => {
  const socket = connect(Number(new URL(program.url).port), '127.0.0.1');
  try {
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.write(
      'POST /emails HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n{',
    );
    await until(() => response.includes('missing_api_key'));
    expect(response).toMatch(/^HTTP\/1\.1 401/);
  } finally {
    socket.destroy();
  }
});

describe('a request with a wrong route, key or parameter', () => {
  it.each<[string, string, string, Record<string, string>, number, string]>([
    ['an unknown route', 'GET', '/nowhere', {}, 404, 'not_found'],
    ['an unknown verb', 'DELETE', '/emails', {}, 405, 'method_not_allowed'],
    ['PUT on an email', 'PUT', '/emails/0193b0a0-0000-7000-8000-000000000000', {}, 405, 'method_not_allowed'],
    ['no key', 'GET', '/emails', { authorization: '' }, 401, 'missing_api_key'],
    ['another scheme', 'GET', '/emails', { authorization: 'Basic abc' }, 401, 'missing_api_key'],
    ['a wrong key', 'GET', '/emails', { authorization: 'Bearer re_wrong_0123456789' }, 400, 'validation_error'],
    ['a wrong key', 'POST', '/emails', { authorization: 'Bearer re_wrong_0123456789' }, 401, 'validation_error'],
    ['a malformed key', 'GET', '/emails', { authorization: 'Bearer hello' }, 401, 'validation_error'],
    ['a malformed id', 'GET', '/emails/17', {}, 422, 'invalid_parameter'],
    ['an unknown id', 'GET', '/emails/0193b0a0-0000-7000-8000-000000000000', {}, 404, 'not_found'],
    ['a limit of 0', 'GET', '/emails?limit=0', {}, 422, 'validation_error'],
    ['a limit of 101', 'GET', '/emails?limit=101', {}, 422, 'validation_error'],
    ['a limit in words', 'GET', '/emails?limit=ten', {}, 422, 'validation_error'],
    ['both cursors', 'GET', '/emails?after=a&before=b', {}, 422, 'validation_error'],
    ['a malformed cursor', 'GET', '/emails?after=17', {}, 422, 'validation_error'],
    ['a broken escape', 'GET', '/emails/%E0%A4%A', {}, 400, 'validation_error'],
  ])('%s gets the contract’s error', async (_, method, path, headers, status, name) => {
    const response = await program.request(path, { method, headers });
    const body = (await response.json()) as object;
    expect(body).toEqual({ statusCode: status, name, message: expect.any(String) });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('with duplicated or trailing slashes reaches its route', async () => {
    expect((await program.request('//emails')).status).toBe(200);
    expect((await program.request('/emails/')).status).toBe(200);
  });
});
