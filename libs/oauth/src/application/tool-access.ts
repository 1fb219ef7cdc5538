import { Memberships } from '#accounts';
import type { SessionUser } from '#accounts';
import { Clock, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { commandLineClient, OAuthClient, parseMetadata } from '../domain/client.js';
import { OAuthError } from '../domain/oauth-error.js';
import { matchesRedirectUri } from '../domain/redirect-uri.js';
import { parseScopes } from '../domain/scopes.js';
import { Issued, OAuthStore } from './ports/oauth-store.port.js';
import { ToolTokens } from './tool-tokens.js';
import { ReportReuse } from './report-reuse.js';

const codeMs = 10 * 60_000;
const refreshMs = 60 * 86_400_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const challenge = /^[\w-]{43}$/;

export type Parameters = Readonly<Record<string, string | undefined>>;

/** What a tool asks for, checked. */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly scopes: readonly string[];
  readonly challenge: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly scope: string;
}

/** OAuth 2.1 for tools: authorization codes with PKCE, rotating refresh tokens, and registration. */
@Injectable()
export class ToolAccess {
  constructor(
    private readonly store: OAuthStore,
    private readonly tokens: ToolTokens,
    private readonly memberships: Memberships,
    private readonly reuse: ReportReuse,
    private readonly clock: Clock,
  ) {}

  async register(
    body: Readonly<Record<string, unknown>>,
  ): Promise<{ client: OAuthClient; secret?: string; method: string }> {
    const { authMethod, ...metadata } = parseMetadata(body);
    const secret = authMethod === 'none' ? undefined : this.tokens.opaque();
    const secretHash = secret === undefined ? null : this.tokens.hash(secret);
    const client = { id: newId(), ...metadata, secretHash, createdAt: this.clock.now() };
    await this.store.addClient(client);
    return { client, secret, method: authMethod };
  }

  /** Throws OAuthError if nobody can be sent back: the client or its address is unknown. */
  async target({ client_id, redirect_uri }: Parameters): Promise<{ client: OAuthClient; redirectUri: string }> {
    const client = await this.findClient(client_id);
    const redirectUri = redirect_uri ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined);
    if (redirectUri === undefined || !matchesRedirectUri(client.redirectUris, redirectUri)) {
      throw new OAuthError('invalid_request', 'The `redirect_uri` is not one of the client.');
    }
    return { client, redirectUri };
  }

  /** Throws OAuthError for what the tool can be told at its `redirect_uri`. */
  async parse(parameters: Parameters): Promise<AuthorizationRequest> {
    const { client, redirectUri } = await this.target(parameters);
    if (parameters.response_type !== 'code') {
      throw new OAuthError('unsupported_response_type', 'The `response_type` must be `code`.');
    }
    const { code_challenge = '', code_challenge_method } = parameters;
    if (code_challenge_method !== 'S256' || !challenge.test(code_challenge)) {
      throw new OAuthError('invalid_request', 'A `code_challenge` with the method `S256` is required.');
    }
    const scopes = parseScopes(parameters.scope);
    return { client, redirectUri, state: parameters.state, scopes, challenge: code_challenge };
  }

  /** The user allows the tool to act in one of their teams. Returns the code for the tool. */
  async allow(request: AuthorizationRequest, user: SessionUser, teamId: string): Promise<string> {
    if (!uuid.test(teamId) || (await this.memberships.roleOf(user.id, teamId)) === undefined) {
      throw new OAuthError('access_denied', 'You are not in this team.');
    }
    const code = this.tokens.opaque();
    await this.store.addCode({
      codeHash: this.tokens.hash(code),
      clientId: request.client.id,
      teamId,
      userId: user.id,
      scopes: request.scopes,
      redirectUri: request.redirectUri,
      challenge: request.challenge,
      expiresAt: new Date(this.clock.now().getTime() + codeMs),
    });
    return code;
  }

  async exchange(parameters: Parameters): Promise<IssuedTokens> {
    const client = await this.authenticate(parameters);
    switch (parameters.grant_type) {
      case 'authorization_code':
        return this.redeem(client, parameters);
      case 'refresh_token':
        return this.refresh(client, parameters);
      default:
        throw new OAuthError(
          'unsupported_grant_type',
          'The `grant_type` must be `authorization_code` or `refresh_token`.',
        );
    }
  }

  /** An unknown token is no error (RFC 7009 section 2.2). */
  async revoke(parameters: Parameters): Promise<void> {
    const client = await this.authenticate(parameters);
    const { token = '' } = parameters;
    const claims = this.tokens.open(token, this.clock.now());
    if (claims !== undefined) await this.store.revokeById(claims.grantId, client.id);
    else await this.store.revokeByRefreshToken(this.tokens.hash(token), client.id);
  }

  private async redeem(client: OAuthClient, { code, code_verifier, redirect_uri }: Parameters): Promise<IssuedTokens> {
    if (code === undefined) throw new OAuthError('invalid_request', 'The `code` is missing.');
    const now = this.clock.now();
    const id = newId(now.getTime());
    const refreshToken = this.tokens.refresh(id);
    const issued = await this.store.redeemCode(this.tokens.hash(code), {
      id,
      refresh: this.newRefresh(refreshToken, now),
      check: (stored) => {
        const isRight =
          stored.clientId === client.id &&
          stored.expiresAt > now &&
          (redirect_uri === undefined || stored.redirectUri === redirect_uri) &&
          this.tokens.fits(code_verifier ?? '', stored.challenge);
        if (!isRight) throw invalidGrant();
      },
      whenReused: (grant, transaction) => this.reuse.notice(grant, transaction),
    });
    return this.issued(issued, refreshToken, now);
  }

  private async refresh(client: OAuthClient, { refresh_token }: Parameters): Promise<IssuedTokens> {
    if (refresh_token === undefined) throw new OAuthError('invalid_request', 'The `refresh_token` is missing.');
    const now = this.clock.now();
    const presented = { hash: this.tokens.hash(refresh_token), grantId: this.tokens.grantOf(refresh_token) };
    const { grantId } = presented;
    const refreshToken = grantId === undefined ? this.tokens.opaque() : this.tokens.refresh(grantId);
    const issued = await this.store.rotate(
      presented,
      client.id,
      this.newRefresh(refreshToken, now),
      (grant, transaction) => this.reuse.notice(grant, transaction),
    );
    return this.issued(issued, refreshToken, now);
  }

  private newRefresh(token: string, now: Date): { hash: Buffer; expiresAt: Date } {
    return { hash: this.tokens.hash(token), expiresAt: new Date(now.getTime() + refreshMs) };
  }

  private async issued(issued: Issued, refreshToken: string, now: Date): Promise<IssuedTokens> {
    if (issued === 'unknown') throw invalidGrant();
    if ('reused' in issued) {
      await this.reuse.record(issued.reused);
      throw invalidGrant();
    }
    const grant = issued;
    const scope = grant.scopes.join(' ');
    const claims = { grantId: grant.id, clientId: grant.clientId, userId: grant.userId, scope };
    return { accessToken: this.tokens.access(claims, now), refreshToken, expiresIn: this.tokens.accessSeconds, scope };
  }

  private async authenticate({ client_id, client_secret }: Parameters): Promise<OAuthClient> {
    const client = await this.findClient(client_id);
    if (client.secretHash === null) return client;
    const given = this.tokens.hash(client_secret ?? '');
    if (!given.equals(client.secretHash)) throw new OAuthError('invalid_client', 'The client secret is wrong.');
    return client;
  }

  private async findClient(id: string | undefined): Promise<OAuthClient> {
    if (id === commandLineClient.id) return commandLineClient;
    const client = id !== undefined && uuid.test(id) ? await this.store.findClient(id) : undefined;
    if (client === undefined) throw new OAuthError('invalid_client', 'The client is unknown.');
    return client;
  }
}

function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'The code or token is unknown, expired, used, or not for this client.');
}
