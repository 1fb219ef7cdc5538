import { clientKey } from '#kernel';
import type { FastifyRequest } from 'fastify';

const owners = new WeakMap<FastifyRequest, string>();

/** Remembers whose request this is, as soon as it is known: what it takes is charged to this owner. */
export function noteOwner(request: FastifyRequest, owner: string): void {
  owners.set(request, owner);
}

/** A team, or the address of a client that has not shown who it is. */
export function ownerOf(request: FastifyRequest): string {
  return owners.get(request) ?? `address ${clientKey(request.ip)}`;
}
