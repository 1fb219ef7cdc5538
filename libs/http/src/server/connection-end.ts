import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { Attached } from '#kernel';

const waiting = new Attached<Socket, Set<() => void>>();

/**
 * Calls `then` once: when the connection ends, or at once if it already has. Returns a function that cancels the call,
 * and returns whether it was still pending.
 *
 * The events of responses and requests are not reliable for this: a response that is queued behind another one (HTTP
 * pipelining) has no socket and never emits `close`, and a request emits it as soon as its body has been read. A
 * connection has one listener for all of its requests.
 */
export function onceConnectionEnds(socket: Socket, then: () => void): () => boolean {
  // It may have emitted `close` before.
  if (socket.destroyed) {
    then();
    return () => false;
  }
  const known = waiting.get(socket);
  const callbacks = known ?? new Set<() => void>();
  if (known === undefined) {
    waiting.set(socket, callbacks);
    socket.once('close', () => {
      for (const callback of [...callbacks]) callback();
    });
  }
  const once = (): void => {
    if (callbacks.delete(once)) then();
  };
  callbacks.add(once);
  return () => callbacks.delete(once);
}

const unsent = new Attached<ServerResponse, Set<() => void>>();

/**
 * Calls `then` once, when the response is sent or the client is gone, whichever comes first. A response has one listener
 * for all of these calls: a large one is waited for in so many places that Node.js takes the listeners for a leak.
 */
export function onceSent({ raw, request }: FastifyReply, then: () => void): void {
  const { socket } = request.raw;
  if (raw.closed || raw.destroyed || socket.destroyed) return then();
  const known = unsent.get(raw);
  if (known !== undefined) return void known.add(then);
  const callbacks = new Set([then]);
  unsent.set(raw, callbacks);
  const end = (): void => {
    for (const callback of callbacks) callback();
  };
  const forget = onceConnectionEnds(socket, end);
  raw.once('close', () => {
    if (forget()) end();
  });
}

/** Releases a share when its response is sent or the client is gone. */
export function releaseOnceSent(reply: FastifyReply, share: { release(): void }): void {
  onceSent(reply, () => share.release());
}
