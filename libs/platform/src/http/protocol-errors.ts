import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ErrorBody } from './error-answer.js';

/** A path that the router cannot read, before any route is known. */
export function answerUnroutable(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const body: ErrorBody =
    error.statusCode === 414
      ? { statusCode: 404, message: 'The requested endpoint does not exist.', name: 'not_found' }
      : { statusCode: 400, message: 'The path of the request is not valid.', name: 'validation_error' };
  void reply.status(body.statusCode).header('content-type', 'application/json; charset=utf-8').send(body);
}

/** Bytes that are no HTTP request, too large a head, or a request that does not come to its end. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = unreadable(error.code);
  const body = JSON.stringify({ statusCode: status, message, name: 'validation_error' } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} Error`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function unreadable(code: string | undefined): [number, string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The headers of the request are too large.'];
    default:
      return [400, 'The request is not valid HTTP.'];
  }
}
