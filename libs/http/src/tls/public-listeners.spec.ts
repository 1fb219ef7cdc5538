import { expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { Config, readConfig } from '#platform/config';
import { HostCertificates } from './host-certificates.js';
import { PublicListeners } from './public-listeners.js';

type Hook = (request: object, reply: { header(name: string, value: string): void }, done: () => void) => void;

const trusting = { isTrusted: (host: string) => host === 'api.acme.test' } as unknown as HostCertificates;

/** The headers of a response to a request of this protocol for this host. */
function headersFor(config: Config, protocol: string, hostname: string): Record<string, string> {
  const headers: Record<string, string> = {};
  const fastify = {
    addHook: (_name: string, hook: Hook) =>
      hook({ protocol, hostname }, { header: (name, value) => void (headers[name] = value) }, () => undefined),
  } as unknown as FastifyInstance;
  const unused = undefined as never;
  new PublicListeners(config, unused, trusting, unused, unused).addHeaders(fastify);
  return headers;
}

it('browsers are told to use https alone at the host of the API, where its certificate is public', () => {
  const acme = { TLS_ACME: 'on', TLS_ACME_EMAIL: 'a@acme.test', PUBLIC_URL: 'https://api.acme.test' };
  const config = readConfig(acme);

  expect(headersFor(config, 'https', 'api.acme.test')).toEqual({ 'strict-transport-security': 'max-age=31536000' });
  expect(headersFor(config, 'http', 'api.acme.test')).toEqual({});
  expect(headersFor(config, 'https', 'links.customer.test')).toEqual({});
  expect(headersFor(readConfig({ ...acme, TLS_ACME_CA_FILE: 'ca.pem' }), 'https', 'api.acme.test')).toEqual({});
});
