import { Principal, PrincipalSource, PrincipalSources } from '#identity';
import { isUuid } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Memberships } from '../../application/ports/memberships.port.js';
import { MissingTeamError, UnknownTeamError } from '../../domain/accounts-errors.js';
import { RequestUsers } from './request-users.js';

/**
 * Accepts the session of a signed-in user for the whole API, as a principal of the team that `X-Team` names. A request
 * with an `Authorization` header is never looked at: a browser does not add one by itself.
 */
@Injectable()
export class SessionPrincipals extends PrincipalSource {
  constructor(
    sources: PrincipalSources,
    private readonly users: RequestUsers,
    private readonly memberships: Memberships,
  ) {
    super();
    sources.add(this);
  }

  identify(request: FastifyRequest): Promise<Principal> | undefined {
    if (request.headers.authorization !== undefined || !this.users.hasSession(request)) return undefined;
    return this.member(request);
  }

  private async member(request: FastifyRequest): Promise<Principal> {
    const user = await this.users.identify(request);
    const teamId = request.headers['x-team'];
    if (typeof teamId !== 'string' || teamId === '') throw new MissingTeamError();
    const role = isUuid(teamId) ? await this.memberships.roleOf(user.id, teamId) : undefined;
    if (role === undefined) throw new UnknownTeamError();
    const { id, isOperator, sessionId } = user;
    return Principal.ofUser({ id, teamId: teamId.toLowerCase(), role, isOperator, sessionId });
  }
}
