import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `then` once, when the connection ends. Returns a function that takes this back, and says
 * whether it was still to come.
 *
 * Neither the response nor the request says so for sure: a response that is queued behind another one of its connection (HTTP
 * pipelining) has no socket and never emits `close`, and a request emits it as soon as its body has been read. A connection
 * has one listener, however many of its requests wait.
 */
export function onceConnectionEnds(socket: Socket, then: () => void): () => boolean {
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

/** Calls `then` once, when the answer has left or the client is gone, whichever comes first. */
export function onceAnswered({ raw, request }: FastifyReply, then: () => void): void {
  const { socket } = request.raw;
  if (raw.closed || raw.destroyed || socket.destroyed) return then();
  const forget = onceConnectionEnds(socket, then);
  raw.once('close', () => {
    if (forget()) then();
  });
}

/** Gives a share back when the answer that it was taken for has left, or the client is gone. */
export function releaseOnceSent(reply: FastifyReply, share: { release(): void }): void {
  onceAnswered(reply, () => share.release());
}
