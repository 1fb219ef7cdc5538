import type { FastifyRequest } from 'fastify';
import { clientKey } from '#kernel';

const owners = new WeakMap<FastifyRequest, string>();

/** Says whose request this is, as soon as it is known: what the request takes is charged to the owner from then on. */
export function setOwner(request: FastifyRequest, teamId: string): void {
  owners.set(request, teamId);
}

/** The team, or the address of someone who has shown no API key. */
export function ownerOf(request: FastifyRequest): string {
  return owners.get(request) ?? `address ${clientKey(request.ip)}`;
}

export function hasOwner(request: FastifyRequest): boolean {
  return owners.has(request);
}
