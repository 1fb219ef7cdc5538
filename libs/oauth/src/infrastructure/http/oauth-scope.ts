import { DomainError } from '#kernel';
import { responseOf, retryAfter } from '#http/server';
import { Logger } from '#observability/logging';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../../domain/oauth-error.js';
import { OAuthConsent } from './oauth-consent.js';
import { OAuthDiscovery } from './oauth-discovery.js';
import { OAuthTokenEndpoint } from './oauth-token-endpoint.js';

const maxBodyBytes = 16 * 1024;

/**
 * OAuth 2.1 for tools, in a scope of Fastify that reads forms and refuses in the words of OAuth. The story: a tool
 * finds the service and registers (`OAuthDiscovery`), a user allows it (`OAuthConsent`), it gets tokens (`OAuthTokenEndpoint`),
 * and uses the API with them (`ToolPrincipals`).
 */
@Injectable()
export class OAuthScope implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly discovery: OAuthDiscovery,
    private readonly consent: OAuthConsent,
    private readonly token: OAuthTokenEndpoint,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    this.discovery.announceIn(fastify);
    void fastify.register(async (scope) => this.mount(scope));
  }

  private mount(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: maxBodyBytes } as const;
    scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as unknown as string))),
    );
    scope.addContentTypeParser('application/json', options, (_request, body, done) => {
      try {
        done(null, JSON.parse(body as unknown as string));
      } catch {
        done(new OAuthError('invalid_request', 'The body is not valid JSON.'));
      }
    });
    scope.setErrorHandler((error: unknown, request, reply) => this.refuse(error, request, reply));
    this.discovery.mount(scope);
    this.consent.mount(scope);
    this.token.mount(scope);
  }

  private refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    const known =
      error instanceof DomainError
        ? error
        : status < 500
          ? new OAuthError('invalid_request', 'The request cannot be read.')
          : undefined;
    if (known === undefined) {
      this.logger.error({ error, route: request.routeOptions.url }, 'a request of a tool failed');
      return void reply.status(500).send({ error: 'server_error', error_description: 'An unexpected error occurred.' });
    }
    const code =
      known.code === 'invalid_client' ? 401 : known instanceof OAuthError ? 400 : responseOf(known).statusCode;
    void reply.status(code).headers({ 'cache-control': 'no-store', ...retryAfter(code, known) });
    void reply.send({ error: known.code, error_description: known.message });
  }
}
