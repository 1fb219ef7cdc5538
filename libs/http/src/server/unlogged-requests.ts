import type { FastifyRequest } from 'fastify';

const unlogged = new WeakSet<FastifyRequest>();

/** Leaves a request out of the log: another process logs it. */
export function leaveUnlogged(request: FastifyRequest): void {
  unlogged.add(request);
}

export function isUnlogged(request: FastifyRequest): boolean {
  return unlogged.has(request);
}
