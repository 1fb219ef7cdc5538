import type { FastifyRequest } from 'fastify';
import { Attached } from '#kernel';

const errors = new Attached<FastifyRequest, unknown>();

export function setErrorOf(request: FastifyRequest, error: unknown): void {
  errors.set(request, error);
}

/** What was thrown while the request was handled, before it became a response. Undefined if nothing was thrown. */
export function errorOf(request: FastifyRequest): unknown {
  return errors.get(request);
}
