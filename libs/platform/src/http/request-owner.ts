import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { clientKey } from '#kernel';

const owners = new WeakMap<IncomingMessage, string>();

/** Says whose request this is, as soon as it is known: what the request takes is charged to the owner from then on. */
export function setOwner(request: FastifyRequest, teamId: string): void {
  owners.set(request.raw, teamId);
}

/** The team, or the address of someone who has shown no API key. */
export function ownerOf(request: FastifyRequest): string {
  return owners.get(request.raw) ?? `address ${clientKey(request.ip)}`;
}

/** Whether whoever sends the request has shown an API key. */
export function hasTeam(request: IncomingMessage): boolean {
  return owners.has(request);
}
