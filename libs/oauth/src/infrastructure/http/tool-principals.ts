import { InvalidApiKeyError, Principal, PrincipalSource, PrincipalSources } from '#identity';
import { Clock, isUuid } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OAuthStore } from '../../application/ports/oauth-store.port.js';
import { ToolTokens } from '../../application/tool-tokens.js';
import { permissionsOfScopes } from '../../domain/scopes.js';

const jwt = /^Bearer +(eyJ[\w-]*\.[\w-]+\.[\w-]+) *$/i;

/** Accepts the access token of a tool for the whole API, while its grant and the membership of its user are in force. */
@Injectable()
export class ToolPrincipals extends PrincipalSource {
  constructor(
    sources: PrincipalSources,
    private readonly tokens: ToolTokens,
    private readonly store: OAuthStore,
    private readonly clock: Clock,
  ) {
    super();
    sources.add(this);
  }

  identify({ headers }: FastifyRequest): Promise<Principal> | undefined {
    const token = jwt.exec(headers.authorization ?? '')?.[1];
    return token === undefined ? undefined : this.holderOf(token);
  }

  private async holderOf(token: string): Promise<Principal> {
    const claims = this.tokens.open(token, this.clock.now());
    const grantId = claims?.grantId ?? '';
    const grant = isUuid(grantId) ? await this.store.findLive(grantId) : undefined;
    if (grant === undefined) throw new InvalidApiKeyError();
    const tool = { grantId, name: grant.clientName };
    return Principal.ofTool({ ...grant, tool, permissions: permissionsOfScopes(grant.scopes) });
  }
}
