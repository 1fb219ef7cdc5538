import { Admission, setOwner } from '#platform/http';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthenticateApiKey } from '../../application/authenticate-api-key.use-case.js';
import { Caller } from '../../domain/caller.js';
import { bearerToken } from './bearer-token.js';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Finds out whose a request is, once: before its body is read where the body is large, otherwise when a guard asks. */
@Injectable()
export class RequestCallers {
  constructor(
    private readonly authenticate: AuthenticateApiKey,
    @Optional() @Inject(Admission) private readonly admission: Admission | undefined,
  ) {}

  /** Throws the refusal of a request without a known API key, and of a team that has asked too often. */
  async identify(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const known = callers.get(request);
    if (known !== undefined) return known;
    const caller = await this.authenticate.execute(bearerToken(request.headers.authorization));
    callers.set(request, caller);
    setOwner(request, caller.teamId);
    await this.admission?.admit(caller.teamId, reply);
    return caller;
  }
}

/** Whose request this is, where it could be told, even where the request was then refused. */
export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}
