import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '#kernel';
import { onceSent, releaseOnceSent } from './connection-end.js';
import { responseOf } from './error-response.js';
import { readableError } from './php-client.js';
import { ReadBudget } from './read-budget.js';
import { ownerOf } from './request-owner.js';

/** Smaller responses are not limited, because they fit into the buffers of the operating system. */
const maxUnwatchedBytes = 64 * 1024;
/** How long a response waits for its share. It is short, because the response is already in memory. */
const maxWaitMs = 1_000;
const windowMs = 10_000;
/** Minimum bytes per second that a client must read: the second value where other requests wait for a share. */
const minRate = 16 * 1024;
const minContendedRate = 256 * 1024;

/**
 * Charges large responses to the owner of the request until they are sent, and resets connections that read them too
 * slowly: a client that does not read must not hold memory. A streamed response took its share before it was read.
 */
export function boundResponses(fastify: FastifyInstance, budget: ReadBudget): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const size = sizeOf(payload);
    if (size <= maxUnwatchedBytes) return done(null, payload);
    watchPace(reply, () => budget.isContended);
    if (size === Infinity) {
      // The source may hold a file or a connection, so it is destroyed when the response has ended.
      if (payload instanceof Readable) onceSent(reply, () => payload.destroy());
      return done(null, payload);
    }
    budget.take(ownerOf(request), size, maxWaitMs).then(
      (share) => {
        releaseOnceSent(reply, share);
        done(null, payload);
      },
      (error: DomainError) => done(null, refusal(reply, error)),
    );
  });
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length;
  if (payload instanceof Uint8Array) return payload.length;
  return payload === null || payload === undefined ? 0 : Infinity;
}

function refusal(reply: FastifyReply, error: DomainError): string {
  const body = responseOf(error);
  void reply.status(body.statusCode).header('content-type', 'application/json; charset=utf-8');
  void reply.header('retry-after', '10').removeHeader('content-length');
  return JSON.stringify(readableError(body, reply.request.headers['user-agent']));
}

/**
 * Resets the connection of a client that reads too slowly, the sooner while others wait for what its response holds.
 * Counts only windows with bytes left to send, because a slow source is not the client's fault. The connection is
 * reset, since after an orderly close the operating system would keep the unsent bytes for a long time.
 */
export function watchPace(reply: FastifyReply, isInDemand: () => boolean): void {
  const { socket } = reply.request.raw;
  let takenBefore = taken(socket);
  // oxlint-disable-next-line no-restricted-globals -- One for each response, and it ends with it.
  const timer = setInterval(() => {
    const taking = taken(socket) - takenBefore;
    takenBefore += taking;
    const rate = isInDemand() ? minContendedRate : minRate;
    if (socket.writableLength > 0 && taking < (rate * windowMs) / 1_000) socket.resetAndDestroy();
  }, windowMs);
  timer.unref();
  onceSent(reply, () => clearInterval(timer));
}

/** Bytes that the operating system has accepted for sending. */
function taken(socket: Socket): number {
  return (socket.bytesWritten ?? 0) - socket.writableLength;
}
