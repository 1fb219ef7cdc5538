import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ToolAccess } from '../../application/tool-access.js';
import { OAuthLimits } from './oauth-limits.js';
import { withBasic } from './oauth-parameters.js';

/** Exchanges codes and refresh tokens for new tokens, and revokes tokens. */
@Injectable()
export class OAuthTokenEndpoint {
  constructor(
    private readonly access: ToolAccess,
    private readonly limits: OAuthLimits,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.post('/oauth/token', (request, reply) => this.issue(request, reply));
    scope.post('/oauth/revoke', (request, reply) => this.revoke(request, reply));
  }

  private async issue(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.limits.takeToken(request);
    const issued = await this.access.exchange(withBasic(request));
    await reply.header('cache-control', 'no-store').header('pragma', 'no-cache').send({
      access_token: issued.accessToken,
      refresh_token: issued.refreshToken,
      token_type: 'Bearer',
      expires_in: issued.expiresIn,
      scope: issued.scope,
    });
  }

  private async revoke(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.limits.takeToken(request);
    await this.access.revoke(withBasic(request));
    await reply.status(200).send();
  }
}
