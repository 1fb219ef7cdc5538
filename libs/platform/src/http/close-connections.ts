import type { FastifyInstance } from 'fastify';

/**
 * While the process stops, each answer is the last of its connection and says so: the client opens the next one, which a
 * load balancer leads elsewhere, and no request is on its way over a connection that is being closed.
 */
export function closeConnectionsOnceStopping(fastify: FastifyInstance, isStopping: () => boolean): void {
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) void reply.header('connection', 'close');
    done();
  });
}
