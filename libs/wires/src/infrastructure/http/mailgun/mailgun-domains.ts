import { ReadDomains } from '#domains';
import type { Domain } from '#domains';
import { DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The domains that paths of Mailgun begin with. */
@Injectable()
export class MailgunDomains {
  constructor(private readonly domains: ReadDomains) {}

  /** Throws the same for a domain of another team as for one that nobody has. */
  async require(teamId: string, name: string): Promise<Domain> {
    const domain = await this.domains.named(teamId, name);
    if (domain === undefined)
      throw new DomainError('not_found', 'not_found', `Domain not found: ${name.slice(0, 253)}`);
    return domain;
  }
}

/** The address under which the client asks, with what is in front of `/v3`. */
export function baseOf(request: FastifyRequest): string {
  const path = request.originalUrl.startsWith('/mailgun') ? '/mailgun' : '';
  return `${request.protocol}://${request.host}${path}`;
}
