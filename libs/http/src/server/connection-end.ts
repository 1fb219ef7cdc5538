import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

const waiting = new WeakMap<Socket, Set<() => void>>();

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

/** Calls `then` once, when the response is sent or the client is gone, whichever comes first. */
export function onceSent({ raw, request }: FastifyReply, then: () => void): void {
  const { socket } = request.raw;
  if (raw.closed || raw.destroyed || socket.destroyed) return then();
  const forget = onceConnectionEnds(socket, then);
  raw.once('close', () => {
    if (forget()) then();
  });
}

/** Releases a share when its response is sent or the client is gone. */
export function releaseOnceSent(reply: FastifyReply, share: { release(): void }): void {
  onceSent(reply, () => share.release());
}
