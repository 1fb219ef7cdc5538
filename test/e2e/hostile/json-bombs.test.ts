import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { closeAll, openConnections } from '../../support/clients/raw-connections.js';
import { rawRequest } from '../../support/clients/raw-http.js';

const mebibyte = 1024 * 1024;
/** Of one body of up to 165 MB, and of an email of 29 MB as it is read, stored and delivered. */
const maxGrowth = 250 * mebibyte;
/** After all attacks of this file. The program itself takes up to 320 MB, 192 MB of them for new objects. */
const maxMemory = 640 * mebibyte;

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram();
});

afterAll(() => hostile.stop());

/** A body of about `bytes` bytes: the head, the repeated part, the tail. */
function bodyOf(head: string, part: string, bytes: number, tail: string): Buffer {
  const middle = Buffer.alloc(Math.floor(bytes / part.length) * part.length, part);
  return Buffer.concat([Buffer.from(head), middle, Buffer.from(tail)]);
}

const email = (): string =>
  `{"from":${JSON.stringify(hostile.attackerSender)},"to":"a@good.test","subject":"x","text":"x"`;

const send = async (body: Buffer): Promise<{ status: number; message: string }> => {
  const response = await hostile.request('/emails', { method: 'POST', body: new Uint8Array(body) });
  const { message } = (await response.json()) as { message: string };
  return { status: response.status, message };
};

it.each<[name: string, head: string, part: string, size: number, status: number, tail?: string]>([
  ['165 MB of empty objects', '{"junk":[{}', ',{}', 165, 422],
  ['40 MB of integers', '{"junk":[1', ',1', 40, 422],
  ['40 MB of empty strings', '{"junk":[""', ',""', 40, 422],
  ['40 MB of brackets', '[', '[', 40, 422],
  ['40 MB of white space', '{"junk":[1', ' ', 40, 422],
  ['40 MB of one number', '{"junk":[1', '9', 40, 422],
  ['60 MB of text', '{"junk":["', 'x', 60, 413],
  // Each escape is one character: 27 MB remain after decoding.
  ['165 MB of escapes', '{"junk":["', '\\u0041', 165, 422, '"]}'],
  ['165 MB of escapes without an end', '{"junk":["', '\\u0041', 165, 400],
  ['40 MB of one key', '{"', 'k', 40, 422],
  ['40 MB of the same key', '{"a":1', ',"a":1', 40, 422],
])('%s is refused, and does not affect others', async (_, head, part, size, status, tail = ']}') => {
  const body = bodyOf(head, part, size * mebibyte, tail);
  const calm = await hostile.during(() => send(body));

  expect(calm.result.status).toBe(status);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.memoryGrowth).toBeLessThan(maxGrowth);
  expect(calm.peakMemory).toBeLessThan(maxMemory);
});

it('an email of 29 MB as an array of integers is accepted, and uses little memory', async () => {
  const numbers = Buffer.alloc(29 * mebibyte * 4, '255,');
  const head = Buffer.from(`${email()},"attachments":[{"filename":"a.bin","content":[`);
  const body = Buffer.concat([head, numbers.subarray(0, -1), Buffer.from(']}]}')]);
  const calm = await hostile.during(() => send(body));

  expect(calm.result.status).toBe(200);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.memoryGrowth).toBeLessThan(maxGrowth);
  expect(calm.peakMemory).toBeLessThan(maxMemory);
});

it('a change with 29 MB of content that nobody reads is recorded in the audit log, and does not affect others', async () => {
  const content = Buffer.alloc(39 * mebibyte, 'QUJD');
  const body = Buffer.concat([
    Buffer.from('{"name":"Topic","default_subscription":"opt_in","attachments":[{"content":"'),
    content,
  ]);
  const calm = await hostile.during(() =>
    hostile.request('/topics', { method: 'POST', body: new Uint8Array(Buffer.concat([body, Buffer.from('"}]}')])) }),
  );

  expect(calm.result.status).toBe(201);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.memoryGrowth).toBeLessThan(maxGrowth);
});

it('a bomb is refused while it is still arriving', async () => {
  const head = ['POST /emails HTTP/1.1', 'Host: a', `Authorization: Bearer ${hostile.attackerKey}`];
  const start = `${[...head, `Content-Length: ${100 * mebibyte}`].join('\r\n')}\r\n\r\n{"junk":[{}${',{}'.repeat(300_000)}`;
  const response = await rawRequest(hostile.program.port, start);

  expect(response.status).toBe(422);
  expect(JSON.parse(response.body)).toMatchObject({ statusCode: 422, name: 'validation_error' });
});

it.each([
  ['a depth of 100,000', () => '['.repeat(100_000) + ']'.repeat(100_000)],
  ['20,000 keys', () => `${email()},${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()}}`],
  ['a number of 10,000 digits', () => `${email()},"scheduled_at":${'9'.repeat(10_000)}}`],
  ['a number that is too large', () => `${email()},"tags":1e999999}`],
  ['NUL', () => `${email()},"html":"a\\u0000b"}`],
  ['a prototype', () => `${email()},"__proto__":{"admin":true}}`],
])('a small body with %s gets a response at once', async (_, body) => {
  const given = Buffer.from(body());
  const startedAt = performance.now();
  const { status } = await send(given);
  expect(performance.now() - startedAt).toBeLessThan(calmMs);
  expect([200, 400, 422]).toContain(status);
});

it('a body that is not UTF-8 is refused', async () => {
  expect(await send(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toEqual({
    status: 400,
    message: 'The request body is not valid UTF-8.',
  });
});

it('bodies in pieces of one byte use little memory', async () => {
  const start = (): string =>
    `POST /emails HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${hostile.attackerKey}\r\nContent-Length: 1000000\r\n\r\n`;
  const calm = await hostile.during(async () => {
    const sockets = await openConnections(hostile.program.port, 20, start);
    for (const socket of sockets) socket.setNoDelay(true);
    for (let sent = 0; sent < 3_000; sent++) {
      for (const socket of sockets) socket.write('x');
      await new Promise((resolve) => setImmediate(resolve));
    }
    closeAll(sockets);
  });

  expect(calm.failures).toEqual([]);
  expect(calm.memoryGrowth).toBeLessThan(100 * mebibyte);
});
