import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '#kernel';
import { maxBodyBytes } from './body/body-limits.js';
import { readBodies } from './body/read-bodies.js';
import { ConnectionCaps, ConnectionLimits } from './connection-caps.js';
import { responseOf, ErrorBody } from './error-response.js';
import { rememberRoutes } from './route-table.js';

/** A tracked link of 2,000 bytes has a token of 2,706 characters. */
const maxParameterLength = 4_000;

/** The response to requests that are refused before routing: a URL that cannot be decoded, or bytes that are not HTTP. */
const malformed: ErrorBody = responseOf(new DomainError('invalid', 'invalid_json', 'The request is malformed.'));

/** The head of the request is not there, so nobody knows whether it is the PHP client that asks (see `readableError`). */
const late: ErrorBody = responseOf(
  new DomainError('invalid', 'request_timeout', 'The request did not arrive in time.'),
);

/** Time limit for the head of a request, from the connection or its first byte on. */
const maxHeadMs = 15_000;

export interface ServerOptions extends ConnectionLimits {
  /** Paths under which everything is that is asked of a host, by the name of the host. */
  readonly hostPaths?: ReadonlyMap<string, string>;
}

const defaultLimits: ServerOptions = { maxConnections: 8_192, maxConnectionsPerNetwork: 1_024, trustedProxies: [] };

/**
 * `trustedProxies`: addresses and networks whose headers are trusted for the address of the client and the requested
 * host.
 */
export function createFastifyAdapter(limits: ServerOptions = defaultLimits): FastifyAdapter {
  const { trustedProxies, hostPaths = new Map<string, string>() } = limits;
  const adapter = new FastifyAdapter({
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: maxBodyBytes,
    // A shared base URL variable with a trailing slash makes some clients send `//emails`.
    rewriteUrl: ({ url = '/', headers }: IncomingMessage) =>
      `${hostPaths.get(hostOf(headers)) ?? ''}${url.replace(/^\/{2,}/, '/')}`,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxParameterLength },
    requestTimeout: 320_000,
    http: { headersTimeout: maxHeadMs, connectionsCheckingInterval: 2_000 },
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) =>
      void reply.status(400).header('content-type', 'application/json; charset=utf-8').send(malformed),
    clientErrorHandler: respondToClientError,
    logger: false,
  });
  const fastify: FastifyInstance = adapter.getInstance<FastifyInstance>();
  new ConnectionCaps(limits).guard(fastify.server);
  rememberRoutes(fastify);
  refuseControlCharacters(fastify);
  readBodies(fastify);
  return adapter;
}

function hostOf({ host = '' }: IncomingHttpHeaders): string {
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

/** Percent-encoded control characters. */
const encodedControl = /%(?:[01][0-9a-f]|7f)/i;

/**
 * No path and no parameter needs control characters, and PostgreSQL refuses NUL. In headers the HTTP parser refuses
 * them.
 */
function refuseControlCharacters(fastify: FastifyInstance): void {
  const refusal = 'The URL must not contain control characters.';
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!encodedControl.test(request.url)) return done();
    done(new DomainError('invalid', 'invalid_parameter', refusal));
  });
}

function respondToClientError(error: { readonly code?: string }, socket: Socket): void {
  if (!socket.writable) return;
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = JSON.stringify(isLate ? late : malformed);
  socket.end(
    `HTTP/1.1 ${isLate ? '408 Request Timeout' : '400 Bad Request'}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
