import type { FastifyInstance } from 'fastify';

/**
 * While the process stops, each response closes its connection (`Connection: close`). The client opens a new
 * connection, which a load balancer sends to another process, and no request is lost on a connection that is being
 * closed.
 */
export function closeConnectionsOnceStopping(fastify: FastifyInstance, isStopping: () => boolean): void {
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) void reply.header('connection', 'close');
    done();
  });
}
