import type { FastifyRequest } from 'fastify';
import { SeenVisit } from '../../application/follow-visits.use-case.js';

/** Headers in which browsers and mail clients say that nobody looks at what they fetch, or not yet. */
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** A proxy may say anything in its header. */
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
    // IPv4 over an IPv6 socket (RFC 4291 section 2.5.5.2) is IPv4 to everybody else.
    ipAddress: ip.replace(/^::ffff:(?=\d+\.)/i, '').slice(0, maxAddressLength),
  };
}
