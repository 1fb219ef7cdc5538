import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RawResponse, rawRequest } from '../support/clients/raw-http.js';
import { testApiKey } from '../support/programs/program.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';

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
    const response = await send(`${method} /emails`, withLength('{}'), '{}');

    expect(response.status).toBe(method === 'GET' ? 200 : 405);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('GET with a JSON type and no body', async () => {
    expect((await send('GET /emails', [json])).status).toBe(200);
  });

  it('POST with a JSON type and a length of 0', async () => {
    const response = await send(`POST /emails/${await scheduled()}/cancel`, [json, 'Content-Length: 0']);

    expect(response.status).toBe(200);
  });

  it('POST without any body or type', async () => {
    expect((await send(`POST /emails/${await scheduled()}/cancel`)).status).toBe(200);
  });

  it('POST with an empty object where no body is needed', async () => {
    expect((await send(`POST /emails/${await scheduled()}/cancel`, withLength('{}'), '{}')).status).toBe(200);
  });

  it('an empty body where one is needed, with the contract’s error', async () => {
    const response = await send('POST /emails', [json, 'Content-Length: 0']);

    expect(response.status).toBe(422);
    expect(JSON.parse(response.body)).toMatchObject({ statusCode: 422, name: 'validation_error' });
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
    const response = await send('POST /emails', withLength(body), body);

    expect(JSON.parse(response.body)).toEqual({
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
    const response = await send(`GET /emails/${(await scheduled()).toUpperCase()}`);

    expect(response.status).toBe(200);
  });
});

describe('the server refuses with the contract’s body', () => {
  it.each([
    ['half a body', '{"from":', 400, 'validation_error'],
    ['a body that is not JSON', 'hello', 400, 'validation_error'],
    ['a body with a poisoned prototype', '{"__proto__":{"admin":true}}', 400, 'validation_error'],
    ['a body that is a string', '"text"', 422, 'validation_error'],
    ['a body that is an array', '[]', 422, 'validation_error'],
    ['a body that is null', 'null', 422, 'validation_error'],
  ])('%s', async (_, body, status, name) => {
    const response = await send('POST /emails', withLength(body), body);

    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toEqual({ statusCode: status, name, message: expect.any(String) });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['half an escape', '/emails/%'],
    ['an invalid escape', '/emails/%zz'],
    ['invalid UTF-8', '/%ff'],
    ['NUL', '/emails/%00'],
    ['a very long id', `/emails/${'x'.repeat(5_000)}`],
    ['dots', '/emails/../../etc/passwd'],
  ])('a path with %s', async (_, path) => {
    const response = await send(`GET ${path}`);

    expect([400, 404, 414, 422]).toContain(response.status);
    expect(JSON.parse(response.body)).toMatchObject({ statusCode: response.status, name: expect.any(String) });
  });

  it('bytes that are not HTTP, and keeps running', async () => {
    const response = await rawRequest(program.port, 'EHLO there\r\n\r\n');

    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ statusCode: 400, name: 'validation_error' });
    expect((await send('GET /emails')).status).toBe(200);
  });

  it('headers that are too large', async () => {
    const response = await send('GET /emails', [`X-Long: ${'x'.repeat(40_000)}`]);

    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ statusCode: 400, name: 'validation_error' });
  });

  it('a compressed body, with a word about it', async () => {
    const response = await send('POST /emails', [json, 'Content-Encoding: gzip', 'Content-Length: 2'], '{}');

    expect(response.status).toBe(422);
    expect(JSON.parse(response.body)).toMatchObject({
      name: 'validation_error',
      message: expect.stringContaining('compressed'),
    });
    expect((await send('POST /emails', [...withLength('{}'), 'Content-Encoding: identity'], '{}')).body).toContain(
      'from',
    );
  });

  it('a body of another type', async () => {
    const response = await send('POST /emails', ['Content-Type: text/xml', 'Content-Length: 4'], '<a/>');

    expect(JSON.parse(response.body)).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });
});

interface Described {
  readonly paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: { $ref?: string } }> } }>
  >;
  readonly components: { readonly schemas: Record<string, { required?: string[]; properties?: object }> };
}

describe('an empty body, at every operation', () => {
  it('causes no server error, and lacks what is required', async () => {
    const { paths, components } = (await (await program.request('/openapi.json')).json()) as Described;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => {
        const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1);
        const { required = [], properties = {} } = components.schemas[name ?? ''] ?? {};
        const target = path.replace(/\{[^{}]+\}/g, '01890000-0000-7000-8000-000000000001');
        return { method: method.toUpperCase(), path: target, required, fields: Object.keys(properties) };
      }),
    );
    expect(operations.length).toBeGreaterThan(100);
    const faults: string[] = [];
    for (const { method, path, required, fields } of operations.filter((one) => one.method !== 'GET')) {
      const all = (value: unknown): string => JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])));
      const bodies = [undefined, '', 'null', '{}', '[]', '[null]', '""', '0', all(null), all(''), all([]), all({})];
      const answers = bodies.map(async (body) => {
        const { status } = await program.request(path, { method, body });
        // Without a body, or with null, nothing that is required is there.
        const isEmpty = [undefined, '', 'null', '{}', all(null)].includes(body) && required.length > 0;
        if (status >= 500 || (isEmpty && status < 400)) faults.push(`${method} ${path} ${body} ${status}`);
      });
      await Promise.all(answers);
    }
    expect(faults).toEqual([]);
  });
});
