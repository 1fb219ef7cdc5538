import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '#kernel';
import { maxBodyBytes } from './body/body-limits.js';
import { readBodies } from './body/read-bodies.js';
import { answerOf, ErrorBody } from './error-answer.js';
import { rememberRoutes } from './route-table.js';

/** A tracked link of 2,000 bytes has a token of 2,706 characters. */
const longestParameter = 4_000;

/** For what is refused before there is a route: a URL that cannot be decoded, bytes that are no HTTP. */
const malformed: ErrorBody = answerOf(new DomainError('invalid', 'invalid_json', 'The request is malformed.'));

/** `trustedProxies`: addresses and networks whose word counts on who the client is and which host it asked for. */
export function createFastifyAdapter(trustedProxies: readonly string[] = []): FastifyAdapter {
  const adapter = new FastifyAdapter({
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: maxBodyBytes,
    // A shared base URL variable with a trailing slash makes some clients send `//emails`.
    rewriteUrl: (request: { url?: string }) => (request.url ?? '/').replace(/^\/{2,}/, '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: longestParameter },
    requestTimeout: 300_000,
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) =>
      void reply.status(400).header('content-type', 'application/json; charset=utf-8').send(malformed),
    clientErrorHandler: answerClientError,
    logger: false,
  });
  const fastify: FastifyInstance = adapter.getInstance<FastifyInstance>();
  rememberRoutes(fastify);
  readBodies(fastify);
  return adapter;
}

function answerClientError(_error: unknown, socket: Socket): void {
  if (!socket.writable) return;
  const body = JSON.stringify(malformed);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
