import { Admission, setOwner } from '#platform/http';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthenticateApiKey } from '../../application/authenticate-api-key.use-case.js';
import { Principal } from '../../domain/principal.js';
import { bearerToken } from './bearer-token.js';

const principals = new WeakMap<FastifyRequest, Principal>();

/** Finds out who makes a request, once: before its body is read where the body is large, otherwise when a guard asks. */
@Injectable()
export class RequestPrincipals {
  constructor(
    private readonly authenticate: AuthenticateApiKey,
    @Optional() @Inject(Admission) private readonly admission: Admission | undefined,
  ) {}

  /** Throws the refusal of a request without a known API key, and of a team that has asked too often. */
  async identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const known = principals.get(request);
    if (known !== undefined) return known;
    const principal = await this.authenticate.execute(bearerToken(request.headers.authorization));
    principals.set(request, principal);
    setOwner(request, principal.teamId);
    await this.admission?.admit(principal.teamId, reply);
    return principal;
  }
}

/** Who makes this request, where that is known, even where the request was then refused. */
export function principalOf(request: FastifyRequest): Principal | undefined {
  return principals.get(request);
}
