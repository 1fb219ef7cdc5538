import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Attached, clientKey } from '#kernel';

const owners = new Attached<IncomingMessage, string>();
const payers = new Attached<IncomingMessage, string>();

/** Sets the team of a request, as soon as it is known. Resources of the request are charged to the team from then on. */
export function setOwner(request: FastifyRequest, teamId: string): void {
  owners.set(request.raw, teamId);
}

/** Sets who is charged for the body of a request whose credential can be checked only when the body is there. */
export function setPayer(request: FastifyRequest, payer: string): void {
  payers.set(request.raw, payer);
}

/** The team of a request, its payer, or the client address where it has no valid credential. */
export function ownerOf(request: FastifyRequest): string {
  return owners.get(request.raw) ?? payers.get(request.raw) ?? `address ${clientKey(request.ip)}`;
}

/** Whether the team of the request is known. */
export function hasTeam(request: IncomingMessage): boolean {
  return owners.has(request);
}
