import { expect, it } from '@jest/globals';
import type { Config } from '#platform/config';
import type { FastifyRequest } from 'fastify';
import { MetricsAccess } from './metrics-access.js';

function allows(
  request: { host?: string; from?: string; headers?: Record<string, string> },
  values: { publicUrl?: string; metricsToken?: string } = {},
): boolean {
  const { host = '127.0.0.1:3000', from = '127.0.0.1', headers = {} } = request;
  const access = new MetricsAccess({ values } as Config);
  return access.allows({ headers: { host, ...headers }, socket: { remoteAddress: from } } as unknown as FastifyRequest);
}

it.each(['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', 'LOCALHOST'])('this machine may read them as %s', (host) => {
  expect(allows({ host })).toBe(true);
  expect(allows({ host, from: '::ffff:127.0.0.1' })).toBe(true);
  expect(allows({ host, from: '192.0.2.1' })).toBe(false);
});

it.each(['rebound.evil.test:3000', 'mail.example.com', '127.0.0.1.evil.test', '', '192.0.2.1'])(
  'a page with a name of its own may not: %j',
  (host) => expect(allows({ host })).toBe(false),
);

it('a proxy may not, whether it adds headers or none', () => {
  expect(allows({ headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(false);
  expect(allows({}, { publicUrl: 'https://mail.example.com' })).toBe(false);
  expect(allows({}, { publicUrl: 'http://localhost:3000' })).toBe(true);
});

it('the token decides where there is one', () => {
  const values = { publicUrl: 'https://mail.example.com', metricsToken: 'secret' };
  expect(allows({ from: '192.0.2.1', headers: { authorization: 'Bearer secret' } }, values)).toBe(true);
  expect(allows({ headers: { authorization: 'Bearer wrong' } }, values)).toBe(false);
});
