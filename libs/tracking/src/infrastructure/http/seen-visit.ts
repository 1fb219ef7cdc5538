import { plainAddress } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { SeenVisit } from '../../application/follow-visits.use-case.js';

/** Headers in which browsers and mail clients say that they prefetch, with nobody looking at the result yet. */
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** The address may come from a proxy's header, which can have any length. */
const maxAddressLength = 64;

export function seenVisit({ method, headers, ip }: FastifyRequest): SeenVisit {
  return {
    method,
    userAgent: headers['user-agent'],
    purpose: purposes
      .map((name) => String(headers[name] ?? '').slice(0, 100))
      .join(' ')
      .trim()
      .toLowerCase(),
    ipAddress: plainAddress(ip).slice(0, maxAddressLength),
  };
}
