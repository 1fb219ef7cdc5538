import { createServer, IncomingMessage, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OutboundHttp } from '#http/outbound';
import { HttpLinkProbe } from '../../libs/checks/src/infrastructure/links/http-link-probe.js';
import { until } from '../support/runner/until.js';

let server: Server;
let url: string;
const seen: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = [];
const guard = new OutboundHttp({ allows: () => true });
const probe = new HttpLinkProbe(guard);
let isClosed = false;

function* endlessPage(): Generator<string> {
  for (;;) yield 'x'.repeat(10_000);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const { method, url: path = '/', headers } = request;
    seen.push({ line: `${method} ${path}`, headers });
    if (path === '/no-head' && method === 'HEAD') return response.writeHead(405).end();
    if (path === '/no-head') {
      response.on('close', () => (isClosed = true));
      return Readable.from(endlessPage()).pipe(response.writeHead(200, { 'content-type': 'text/html' }));
    }
    if (path === '/hidden' && method === 'HEAD') return response.writeHead(404).end();
    if (path === '/moved') return response.writeHead(302, { location: '/gone', 'set-cookie': 'a=b' }).end();
    if (path === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (path === '/silent') return;
    return response.writeHead(path === '/gone' ? 404 : 200).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => void seen.splice(0));

afterAll(() => {
  guard.close();
  server.close().closeAllConnections();
});

const ask = (path: string, timeoutMs = 5_000) => probe.ask('t', `${url}${path}`, timeoutMs);
const lines = (): string[] => seen.map(({ line }) => line);

it('asks by HEAD, and follows redirects without cookies', async () => {
  expect(await ask('/moved')).toEqual({ status: 404 });
  expect(lines()).toEqual(['HEAD /moved', 'HEAD /gone', 'GET /moved', 'GET /gone']);
  expect(seen[1]?.headers).toMatchObject({ 'user-agent': expect.stringMatching(/^Postrider\/1 /) });
  expect(seen[1]?.headers.cookie).toBeUndefined();
});

it('asks by GET where a server knows no HEAD, and does not read the page', async () => {
  expect(await ask('/no-head')).toEqual({ status: 200 });
  expect(lines()).toEqual(['HEAD /no-head', 'GET /no-head']);
  await until(() => isClosed);
  expect(await ask('/hidden')).toEqual({ status: 200 });
});

it('tells why there was no response', async () => {
  expect(await ask('/loop')).toEqual({ failure: 'too_many_redirects' });
  expect(lines()).toHaveLength(6);
  expect(await ask('/silent', 50)).toEqual({ failure: 'timeout' });
  expect(await probe.ask('t', 'http://127.0.0.1:1/', 5_000)).toEqual({ failure: 'unreachable' });
});

it('distinguishes a name that does not exist from a resolver that fails', async () => {
  for (const [code, failure] of [
    ['ENOTFOUND', 'unknown_name'],
    ['EAI_AGAIN', 'unreachable'],
  ]) {
    const lookup = ((_: string, __: object, done: (error: Error) => void) =>
      done(Object.assign(new Error(code), { code }))) as never;
    const http = new OutboundHttp({ lookup });
    expect(await new HttpLinkProbe(http).ask('t', 'http://a.test/', 5_000)).toEqual({ failure });
    http.close();
  }
});

it('never reaches a private address', async () => {
  const http = new OutboundHttp();
  expect(await new HttpLinkProbe(http).ask('t', url, 5_000)).toEqual({ failure: 'not_public' });
  expect(seen).toEqual([]);
  http.close();
});
