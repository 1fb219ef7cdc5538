import { createHash } from 'node:crypto';
import { AuditTrail } from '#audit';
import { Clock, DomainError } from '#kernel';
import { responseOf, retryAfter } from '#http/server';
import { Logger } from '#observability/logging';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AttemptCounts } from '../../application/ports/attempt-counts.port.js';
import { maxLogoutTokenSeconds, SignInProviders } from '../../application/ports/sign-in-providers.port.js';
import { Sessions } from '../../application/ports/sign-in.port.js';
import { AuthLimits } from './auth-limits.js';

const maxBodyBytes = 16 * 1024;
/** A token is remembered for longer than it is taken, clocks that differ included. */
const once = { max: 1, ms: 3 * maxLogoutTokenSeconds * 1_000 } as const;

class LogoutRefusedError extends DomainError {
  constructor(message: string) {
    super('invalid', 'invalid_request', message);
  }
}

/**
 * Ends the sessions of people whom their provider signs out (OpenID Connect Back-Channel Logout 1.0): all of a person, not
 * only those that the provider's session began, since the person may have been removed there.
 */
@Injectable()
export class BackChannelLogout implements OnModuleInit {
  // oxlint-disable-next-line max-params -- a door of its own: limits, replay, sessions, audit log
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly providers: SignInProviders,
    private readonly limits: AuthLimits,
    private readonly counts: AttemptCounts,
    private readonly sessions: Sessions,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    void fastify.register(async (scope) => this.mount(scope));
  }

  private mount(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: maxBodyBytes } as const;
    scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error: unknown, request, reply) => this.refuse(error, request, reply));
    scope.post('/auth/oidc/:id/back-channel-logout', (request, reply) => this.logOut(request, reply));
  }

  private async logOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id: string };
    if (!this.providers.shown.some((provider) => provider.id === id))
      throw new DomainError('not_found', 'not_found', 'There is no such provider.');
    const attempt = await this.limits.beginGuess(request);
    const token = new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('logout_token') ?? '';
    const { sub, jti } = await this.claimsOf(id, token);
    const key = createHash('sha256')
      .update(JSON.stringify([id, jti]))
      .digest('base64url');
    const { count } = await this.counts.add({ kind: 'logout-token', key }, once, this.clock.now());
    if (count > 1) throw new LogoutRefusedError('The logout token was used before.');
    const userId = await this.sessions.endOfSubject(id, sub);
    await attempt.succeeded();
    if (userId !== undefined) {
      const action = 'account.sessions.end';
      const actor = { kind: 'service' } as const;
      await this.trail.record({
        teamId: null,
        action,
        actor,
        address: request.ip,
        targetId: userId,
        after: { provider: id },
      });
    }
    await reply.status(200).header('cache-control', 'no-store').send();
  }

  private async claimsOf(id: string, token: string): Promise<{ readonly sub: string; readonly jti: string }> {
    try {
      const claims = await this.providers.logoutClaims(id, token);
      if (claims !== undefined) return claims;
    } catch (error) {
      this.logger.warn({ provider: id, reason: (error as Error).message }, 'a logout token was refused');
    }
    throw new LogoutRefusedError('The logout token is not valid.');
  }

  private refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    const known =
      error instanceof DomainError
        ? error
        : status < 500
          ? new LogoutRefusedError('The request cannot be read.')
          : undefined;
    if (known === undefined) this.logger.error({ error, route: request.routeOptions.url }, 'signing out failed');
    const code = known === undefined ? 500 : responseOf(known).statusCode;
    void reply.status(code === 422 ? 400 : code).headers({ 'cache-control': 'no-store', ...retryAfter(code, known) });
    void reply.send({ error: known?.code ?? 'server_error', error_description: known?.message });
  }
}
