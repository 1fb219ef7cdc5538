import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RawResponse, rawRequest } from '../support/raw-http.js';
import { testApiKey } from '../support/program.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/recording-program.js';

let program: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram();
});

afterAll(() => program.stop());

const json = 'Content-Type: application/json';

function send(requestLine: string, headers: readonly string[] = [], body = ''): Promise<RawResponse> {
  const head = [`${requestLine} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${testApiKey}`, ...headers];
  return rawRequest(program.port, `${head.join('\r\n')}\r\n\r\n${body}`);
}

const withLength = (body: string): string[] => [json, `Content-Length: ${Buffer.byteLength(body)}`];

async function scheduled(): Promise<string> {
  return (await program.resend.emails.send(anEmail({ scheduledAt: 'in 1 hour' }))).data?.id ?? '';
}

function chunked(body: string, size: number): string {
  const pieces = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return [...pieces, ''].map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('');
}

describe('the server accepts what clients send', () => {
  it.each(['GET', 'DELETE'])('%s with a JSON body', async (method) => {
    const answer = await send(`${method} /emails`, withLength('{}'), '{}');

    expect(answer.status).toBe(method === 'GET' ? 200 : 405);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('GET with a JSON type and no body', async () => {
    expect((await send('GET /emails', [json])).status).toBe(200);
  });

  it('POST with a JSON type and a length of 0', async () => {
    const answer = await send(`POST /emails/${await scheduled()}/cancel`, [json, 'Content-Length: 0']);

    expect(answer.status).toBe(200);
  });

  it('POST without any body or type', async () => {
    expect((await send(`POST /emails/${await scheduled()}/cancel`)).status).toBe(200);
  });

  it('POST with an empty object where none is wanted', async () => {
    expect((await send(`POST /emails/${await scheduled()}/cancel`, withLength('{}'), '{}')).status).toBe(200);
  });

  it('an empty body where one is wanted, with the contract’s error', async () => {
    const answer = await send('POST /emails', [json, 'Content-Length: 0']);

    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });

  it('a chunked body of unknown length', async () => {
    const body = chunked(JSON.stringify(anEmail({ text: 'Grüße '.repeat(50) })), 7);

    expect((await send('POST /emails', [json, 'Transfer-Encoding: chunked'], body)).status).toBe(200);
  });

  it.each(['//emails', '///emails', '/emails/'])('the path %s', async (path) => {
    expect((await send(`GET ${path}`)).status).toBe(200);
  });

  it('empty strings and nulls for optional fields', async () => {
    const empty = { cc: '', bcc: null, reply_to: '', html: '', headers: null, scheduled_at: '', tags: null };
    const body = JSON.stringify({ ...anEmail(), ...empty, attachments: null, topic_id: '', template: null });

    expect((await send('POST /emails', withLength(body), body)).status).toBe(200);
  });

  it('empty strings for required fields, as missing ones', async () => {
    const body = JSON.stringify({ ...anEmail(), from: '', subject: '' });
    const answer = await send('POST /emails', withLength(body), body);

    expect(JSON.parse(answer.body)).toEqual({
      statusCode: 422,
      name: 'missing_required_field',
      message: 'Missing `from` field.',
    });
  });

  it('unknown keys and unknown query parameters', async () => {
    const body = JSON.stringify({ ...anEmail(), unknown: { deep: [1] }, id: 'x' });

    expect((await send('POST /emails?unknown=1', withLength(body), body)).status).toBe(200);
    expect((await send('GET /emails?audience_id=&email_id=1&limit=5')).status).toBe(200);
  });

  it('identifiers repeated in the body of a PATCH', async () => {
    const id = await scheduled();
    const body = JSON.stringify({ id, scheduled_at: 'in 2 hours' });

    expect((await send(`PATCH /emails/${id}`, withLength(body), body)).status).toBe(200);
  });

  it('an id in upper case', async () => {
    const answer = await send(`GET /emails/${(await scheduled()).toUpperCase()}`);

    expect(answer.status).toBe(200);
  });
});

describe('the server refuses with the contract’s body', () => {
  it.each([
    ['half a body', '{"from":', 400, 'validation_error'],
    ['no JSON at all', 'hello', 400, 'validation_error'],
    ['a body with a poisoned prototype', '{"__proto__":{"admin":true}}', 400, 'validation_error'],
    ['a body that is a string', '"text"', 422, 'validation_error'],
    ['a body that is an array', '[]', 422, 'validation_error'],
    ['a body that is null', 'null', 422, 'validation_error'],
  ])('%s', async (_, body, status, name) => {
    const answer = await send('POST /emails', withLength(body), body);

    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ statusCode: status, name, message: expect.any(String) });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['half an escape', '/emails/%'],
    ['no escape', '/emails/%zz'],
    ['no UTF-8', '/%ff'],
    ['NUL', '/emails/%00'],
    ['an endless id', `/emails/${'x'.repeat(5_000)}`],
    ['dots', '/emails/../../etc/passwd'],
  ])('a path with %s', async (_, path) => {
    const answer = await send(`GET ${path}`);

    expect([400, 404, 414, 422]).toContain(answer.status);
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: answer.status, name: expect.any(String) });
  });

  it('what is no HTTP, without falling over', async () => {
    const answer = await rawRequest(program.port, 'EHLO there\r\n\r\n');

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 400, name: 'validation_error' });
    expect((await send('GET /emails')).status).toBe(200);
  });

  it('headers without end', async () => {
    const answer = await send('GET /emails', [`X-Long: ${'x'.repeat(40_000)}`]);

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 400, name: 'validation_error' });
  });

  it('a body of another type', async () => {
    const answer = await send('POST /emails', ['Content-Type: text/xml', 'Content-Length: 4'], '<a/>');

    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });
});
