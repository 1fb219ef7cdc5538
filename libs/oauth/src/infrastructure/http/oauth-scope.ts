import { randomBytes } from 'node:crypto';
import { OwnOrigin, ReadMe, RequestUsers, SameOrigin } from '#accounts';
import { AuditTrail } from '#audit';
import { DomainError } from '#kernel';
import { responseOf } from '#platform/http';
import { Logger } from '#platform/logging';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuthorizationRequest, Parameters, ToolAccess } from '../../application/tool-access.js';
import { OAuthError } from '../../domain/oauth-error.js';
import { knownScopes } from '../../domain/scopes.js';
import { consentPage, refusalPage } from './consent-page.js';
import { defined, queryOf, withBasic } from './oauth-parameters.js';
import { OAuthLimits } from './oauth-limits.js';

const maxBodyBytes = 16 * 1024;

/** The endpoints of OAuth that tools and browsers use, in a scope of Fastify that reads forms. */
@Injectable()
export class OAuthScope implements OnModuleInit {
  // eslint-disable-next-line max-params -- the doors of a protocol, with a page for people
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly access: ToolAccess,
    private readonly users: RequestUsers,
    private readonly me: ReadMe,
    private readonly sameOrigin: SameOrigin,
    private readonly origin: OwnOrigin,
    private readonly limits: OAuthLimits,
    private readonly trail: AuditTrail,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    // How a tool finds out where to ask for a token (RFC 9728 section 5.1).
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (reply.statusCode === 401) {
        const metadata = `${this.origin.value}/.well-known/oauth-protected-resource`;
        reply.header('www-authenticate', `Bearer resource_metadata="${metadata}"`);
      }
      done(null, payload);
    });
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
    scope.get('/oauth/authorize', (request, reply) => this.authorize(request, reply));
    scope.get('/oauth/consent', (request, reply) => this.ask(request, reply));
    scope.post('/oauth/consent', (request, reply) => this.decide(request, reply));
    scope.post('/oauth/token', (request, reply) => this.token(request, reply));
    scope.post('/oauth/register', (request, reply) => this.register(request, reply));
    scope.post('/oauth/revoke', (request, reply) => this.revoke(request, reply));
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      scope.get(path, async () => this.metadata());
    }
    scope.get('/.well-known/oauth-protected-resource', async () => ({
      resource: this.origin.value,
      authorization_servers: [this.origin.value],
      scopes_supported: knownScopes,
      bearer_methods_supported: ['header'],
    }));
  }

  /** Sends the browser to the page that asks, by way of signing in where needed. */
  private async authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const query = queryOf(request);
    const checked = await this.checked(query, reply);
    if (checked === undefined) return;
    const path = `/oauth/consent?${String(new URLSearchParams(defined(query)))}`;
    const isSignedIn = this.users.hasSession(request);
    void reply.redirect(isSignedIn ? path : `/app/sign-in?next=${encodeURIComponent(path)}`, 302);
  }

  private async ask(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const query = queryOf(request);
    const checked = await this.checked(query, reply);
    if (checked === undefined) return;
    const user = await this.users.visitor(request);
    const text = String(new URLSearchParams(defined(query)));
    if (user === undefined)
      return void reply.redirect(`/app/sign-in?next=${encodeURIComponent(`/oauth/consent?${text}`)}`, 302);
    const nonce = randomBytes(12).toString('base64url');
    const teams = await this.me.teamsOf(user.id);
    this.page(reply, nonce, checked.redirectUri).send(
      consentPage({ request: checked, user, teams, query: text, nonce }),
    );
  }

  private async decide(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.sameOrigin.checkForm(request);
    const form = (request.body ?? {}) as Parameters;
    const query = Object.fromEntries(new URLSearchParams(form.query ?? '')) as Parameters;
    const checked = await this.checked(query, reply);
    if (checked === undefined) return;
    const user = await this.users.visitor(request);
    if (user === undefined) throw new OAuthError('access_denied', 'Your session has ended. Start again in the tool.');
    const back = (parameters: Record<string, string>): void => {
      const target = new URL(checked.redirectUri);
      const { state } = checked;
      const all = { ...parameters, ...(state === undefined ? {} : { state }), iss: this.origin.value };
      for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value);
      void reply.header('cache-control', 'no-store').redirect(String(target), 302);
    };
    if (form.decision !== 'allow') return back({ error: 'access_denied' });
    const teamId = form.team ?? '';
    const code = await this.access.allow(checked, user, teamId);
    await this.trail.record({
      teamId,
      action: 'oauth.grants.create',
      actor: { kind: 'user', id: user.id },
      address: request.ip,
      targetId: checked.client.id,
      after: { client: checked.client.name, scopes: checked.scopes },
    });
    back({ code });
  }

  private async token(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.limits.token(request);
    const issued = await this.access.exchange(withBasic(request));
    await reply.header('cache-control', 'no-store').header('pragma', 'no-cache').send({
      access_token: issued.accessToken,
      refresh_token: issued.refreshToken,
      token_type: 'Bearer',
      expires_in: issued.expiresIn,
      scope: issued.scope,
    });
  }

  private async register(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.limits.registration(request);
    const { client, secret, method } = await this.access.register((request.body ?? {}) as Record<string, unknown>);
    await reply
      .status(201)
      .header('cache-control', 'no-store')
      .send({
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
        client_name: client.name,
        ...(client.logoUri === null ? {} : { logo_uri: client.logoUri }),
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: method,
        ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      });
  }

  private async revoke(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.limits.token(request);
    await this.access.revoke(withBasic(request));
    await reply.status(200).send();
  }

  /** Undefined where the refusal has been sent: to the tool if its address is known, otherwise as a page. */
  private async checked(query: Parameters, reply: FastifyReply): Promise<AuthorizationRequest | undefined> {
    const nonce = randomBytes(12).toString('base64url');
    let redirectUri: string;
    try {
      ({ redirectUri } = await this.access.target(query));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      this.page(reply.status(400), nonce).send(refusalPage(error.message, nonce));
      return undefined;
    }
    try {
      return await this.access.parse(query);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const target = new URL(redirectUri);
      target.searchParams.set('error', error.error);
      target.searchParams.set('error_description', error.message);
      if (query.state !== undefined) target.searchParams.set('state', query.state);
      void reply.redirect(String(target), 302);
      return undefined;
    }
  }

  private page(reply: FastifyReply, nonce: string, redirectUri?: string): FastifyReply {
    // Browsers check the redirect after the form as well.
    const target = redirectUri === undefined ? '' : new URL(redirectUri);
    const back = target === '' ? '' : target.origin === 'null' ? ` ${target.protocol}` : ` ${target.origin}`;
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'${back}; frame-ancestors 'none'; base-uri 'none'`;
    return reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  }

  private metadata(): object {
    const at = (path: string): string => `${this.origin.value}/oauth/${path}`;
    return {
      issuer: this.origin.value,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      registration_endpoint: at('register'),
      revocation_endpoint: at('revoke'),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      scopes_supported: knownScopes,
      authorization_response_iss_parameter_supported: true,
    };
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
    void reply.status(code).header('cache-control', 'no-store');
    void reply.send({ error: known.code, error_description: known.message });
  }
}
