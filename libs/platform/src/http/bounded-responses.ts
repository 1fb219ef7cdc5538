import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '#kernel';
import { onceAnswered, releaseOnceSent } from './connection-end.js';
import { responseOf } from './error-response.js';
import { ReadBudget } from './read-budget.js';
import { ownerOf } from './request-owner.js';

/** Responses below this leave at once: the system's own buffers take them. */
const maxUnwatchedBytes = 64 * 1024;
/** An answer that is there already does not wait for its share: it is what takes the memory. */
const maxWaitMs = 1_000;
const windowMs = 10_000;
/** Bytes a second that a client has to take; where others wait for its share, more. */
const minRate = 16 * 1024;
const minContendedRate = 256 * 1024;

/**
 * Charges large answers to whoever asked for them until they have left, and ends connections that take theirs too slowly:
 * a client that does not read must not hold memory. What is streamed has taken its share before it was read.
 */
export function boundResponses(fastify: FastifyInstance, budget: ReadBudget): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const size = sizeOf(payload);
    if (size <= maxUnwatchedBytes) return done(null, payload);
    watchPace(reply, budget);
    if (size === Infinity) {
      // Its source may hold a file or a connection, and is read no more.
      if (payload instanceof Readable) onceAnswered(reply, () => payload.destroy());
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
  return JSON.stringify(body);
}

/**
 * Looks only at times in which there was something to take: a slow source is not the client's fault. The connection is
 * reset, since the system would keep what it holds for the client long after an orderly end.
 */
function watchPace(reply: FastifyReply, budget: ReadBudget): void {
  const { socket } = reply.request.raw;
  let takenBefore = taken(socket);
  // eslint-disable-next-line no-restricted-globals -- One for each response, and it ends with it.
  const timer = setInterval(() => {
    const taking = taken(socket) - takenBefore;
    takenBefore += taking;
    const rate = budget.isContended ? minContendedRate : minRate;
    if (socket.writableLength > 0 && taking < (rate * windowMs) / 1_000) socket.resetAndDestroy();
  }, windowMs);
  timer.unref();
  onceAnswered(reply, () => clearInterval(timer));
}

/** Bytes that have left for the client's side of the connection. */
function taken(socket: Socket): number {
  return (socket.bytesWritten ?? 0) - socket.writableLength;
}
