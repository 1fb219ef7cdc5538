import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** While the process stops, a new connection that stays silent for this long is closed. */
const silentMs = 1_000;
const lookMs = 100;

/**
 * While the process stops, each response closes its connection (`Connection: close`). The client opens a new
 * connection, which a load balancer sends to another process, and no request is lost on a connection that is being
 * closed.
 *
 * Once the server closes, Node waits for every connection that it does not know as idle, without its limits of time: for
 * one that a browser has opened ahead, and for one that sends the head of a request byte by byte. Silent ones are closed
 * after a second, and all others after `stopMs`.
 */
export function closeConnectionsOnceStopping(
  fastify: FastifyInstance,
  isStopping: () => boolean,
  stopMs: number,
): void {
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) void reply.header('connection', 'close');
    done();
  });
  const { server } = fastify;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    void closeSilent(fastify, sockets, stopMs);
    done();
  });
}

async function closeSilent({ server }: FastifyInstance, sockets: ReadonlySet<Socket>, stopMs: number): Promise<void> {
  const startedAt = performance.now();
  const isAfter = (ms: number): boolean => performance.now() - startedAt >= ms;
  while (sockets.size > 0 || server.listening) {
    await delay(lookMs, undefined, { ref: false });
    server.closeIdleConnections();
    for (const socket of sockets)
      if (isAfter(stopMs) || (socket.bytesRead === 0 && isAfter(silentMs))) socket.destroy();
  }
}
