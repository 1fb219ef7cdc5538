import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { stretched } from '../../../support/runner/stretched.js';

const mebibyte = 1024 * 1024;
const piece = Buffer.alloc(256 * 1024, 'x');

let hostile: HostileProgram;
let files: Server;
let filesUrl: string;
const asked = new Map<string, number>();

beforeAll(async () => {
  files = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://files').pathname;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    response.on('error', () => undefined);
    if (path === '/silent') return;
    if (path === '/bomb') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20 * mebibyte)));
      return;
    }
    if (path === '/moved') response.writeHead(302, { location: '/small' });
    else if (path === '/short') response.writeHead(200, { 'content-length': '1000' });
    else response.writeHead(200);
    if (path === '/small') response.end('Hello');
    else if (path === '/short') response.write('Hello', () => response.destroy());
    else if (path === '/drip') response.write('x');
    else pour(response, path === '/moved' || path === '/endless' ? Infinity : 30 * mebibyte);
  });
  await new Promise<void>((ready) => files.listen(0, '127.0.0.1', ready));
  filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  hostile = await startHostileProgram();
});

afterAll(async () => {
  files.close().closeAllConnections();
  await hostile.stop();
});

function pour(response: import('node:http').ServerResponse, left: number): void {
  if (response.destroyed) return;
  if (left <= 0) response.end();
  else response.write(piece, () => setImmediate(() => pour(response, left - piece.length)));
}

const email = (...paths: string[]): object => ({
  from: hostile.attackerSender,
  to: 'someone@good.test',
  subject: 'Files',
  text: 'Hello',
  attachments: paths.map((path, at) => ({ filename: `${at}.txt`, path: `${filesUrl}${path}` })),
});

const post = async (path: string, body: unknown): Promise<{ status: number; message: string }> => {
  const response = await hostile.request(path, { method: 'POST', body: JSON.stringify(body) });
  const { message } = (await response.json()) as { message: string };
  return { status: response.status, message };
};

it('two batches of a hundred links to large files are refused, and use no more memory than one email may', async () => {
  const batch = (name: string): object[] => Array.from({ length: 100 }, (_, at) => email(`/large/${name}/${at}`));
  const calm = await hostile.during(() => Promise.all(['a', 'b'].map((name) => post('/emails/batch', batch(name)))));

  expect(calm.result.map(({ status }) => status)).toEqual([413, 413]);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory).toBeLessThan(500 * mebibyte);
});

it('a file that a hundred emails name is fetched once', async () => {
  const { status } = await post(
    '/emails/batch',
    Array.from({ length: 100 }, () => email('/small')),
  );

  expect(status).toBe(200);
  expect(asked.get('/small')).toBe(1);
});

it('downloads from servers that are silent, endless, compressing or lying are refused clearly and in time', async () => {
  const paths = ['/silent', '/drip', '/endless', '/bomb', '/short'];
  const startedAt = performance.now();
  const calm = await hostile.during(() => Promise.all(paths.map((path) => post('/emails', email(path)))));

  expect(performance.now() - startedAt).toBeLessThan(stretched(22_000));
  expect(calm.result.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
  expect(calm.result.map(({ message }) => message.replace(/^.*not fetched: /, ''))).toEqual([
    'The server did not respond in time.',
    'The server did not respond in time.',
    'The response is too large.',
    'The server sent it compressed.',
    'The server cannot be reached.',
  ]);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.peakMemory).toBeLessThan(500 * mebibyte);
});

it('a redirect with an endless body of its own is followed', async () => {
  expect((await post('/emails', email('/moved'))).status).toBe(200);
});
