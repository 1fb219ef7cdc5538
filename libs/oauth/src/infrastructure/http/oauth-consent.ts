import { randomBytes } from 'node:crypto';
import { Memberships, OwnOrigin, RequestUsers, SameOrigin } from '#accounts';
import { AuditTrail } from '#audit';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuthorizationRequest, Parameters, ToolAccess } from '../../application/tool-access.js';
import { OAuthError } from '../../domain/oauth-error.js';
import { consentPage, refusalPage } from './consent-page.js';
import { defined, formOf, queryOf } from './oauth-parameters.js';

/**
 * Where a browser comes from a tool: the user signs in, reads what the tool wants, allows or denies it, and goes back
 * to the tool.
 */
@Injectable()
export class OAuthConsent {
  constructor(
    private readonly access: ToolAccess,
    private readonly users: RequestUsers,
    private readonly memberships: Memberships,
    private readonly sameOrigin: SameOrigin,
    private readonly origin: OwnOrigin,
    private readonly trail: AuditTrail,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get('/oauth/authorize', (request, reply) => this.authorize(request, reply));
    scope.get('/oauth/consent', (request, reply) => this.ask(request, reply));
    scope.post('/oauth/consent', (request, reply) => this.decide(request, reply));
  }

  /** Sends the browser to the page that asks, by way of signing in if needed. */
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
    const teams = await this.memberships.teamsOf(user.id);
    this.page(reply, nonce, checked.redirectUri).send(
      consentPage({ request: checked, user, teams, query: text, nonce }),
    );
  }

  private async decide(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.sameOrigin.checkForm(request);
    const form = formOf(request);
    const query = Object.fromEntries(new URLSearchParams(form.query ?? '')) as Parameters;
    const checked = await this.checked(query, reply);
    if (checked === undefined) return;
    const user = await this.users.visitor(request);
    if (user === undefined) throw new OAuthError('access_denied', 'Your session has ended. Start again in the tool.');
    const back = (parameters: Record<string, string>): void => {
      const target = new URL(checked.redirectUri);
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      if (checked.state !== undefined) target.searchParams.set('state', checked.state);
      target.searchParams.set('iss', this.origin.value);
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

  /** Returns undefined if it has sent a refusal: to a tool on the user's machine, otherwise as a page. */
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
      target.searchParams.set('iss', this.origin.value);
      // Anybody registers an address of the web: sent there unasked, the browser of anybody could be sent anywhere (RFC
      // 9700 section 4.11.2). A program on the user's own machine is told at once.
      if (target.protocol !== 'https:') void reply.redirect(String(target), 302);
      else this.page(reply.status(400), nonce).send(refusalPage(error.message, nonce, target));
      return undefined;
    }
  }

  private page(reply: FastifyReply, nonce: string, redirectUri?: string): FastifyReply {
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'${formTarget(redirectUri)}; frame-ancestors 'none'; base-uri 'none'`;
    return reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      // Not `no-referrer`: with it browsers send the form with `Origin: null`.
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
  }
}

/** The tool's address as a source of `form-action`: browsers check the redirect after the form as well. */
function formTarget(redirectUri: string | undefined): string {
  if (redirectUri === undefined) return '';
  const { origin, protocol, hostname } = new URL(redirectUri);
  // A source of a policy cannot name an own scheme with a path, or an IPv6 address (CSP 3, section 2.3.1).
  return ` ${origin === 'null' || hostname.startsWith('[') ? protocol : origin}`;
}
