import { maxLogoutTokenSeconds } from '../../application/ports/sign-in-providers.port.js';
import { OutboundHttp } from '#http/outbound';
import type { OidcProvider } from '#platform/config';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';

const maxAnswerMs = 10_000;
/** A token with 200 groups has some 10 KB. */
const maxAnswerBytes = 256 * 1024;
/** Discovery is repeated, so that a provider may move its endpoints. Keys are looked up when an unknown one is used. */
const metadataMs = 3_600_000;
const skewSeconds = 60;
/** With a public key. A secret that several servers know, or none, proves no issuer. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** What of the discovery document is used (OpenID Connect Discovery 1.0, section 3). */
interface Metadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint?: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly authorization_response_iss_parameter_supported?: boolean;
}

interface Discovered {
  readonly metadata: Metadata;
  readonly keys: JWTVerifyGetKey;
  readonly until: number;
}

export interface RedeemedCode {
  readonly idToken: string;
  readonly accessToken: string | undefined;
}

/**
 * One OpenID provider: what it says about itself, and the tokens that it signs. Every method throws if the provider cannot
 * be reached, or says what does not hold.
 */
export class OpenIdClient {
  private discovered: Promise<Discovered> | undefined;

  /** `own` reaches private addresses, and is used for the origin that the operator has named only. */
  constructor(
    readonly provider: OidcProvider,
    private readonly own: OutboundHttp,
    private readonly http: OutboundHttp,
  ) {}

  /** Begun once for all who wait. A failure is not kept. */
  async discover(): Promise<Discovered> {
    const known = await this.discovered;
    if (known !== undefined && known.until > Date.now()) return known;
    const begun = this.readMetadata();
    this.discovered = begun;
    begun.catch(() => (this.discovered = undefined));
    return begun;
  }

  /** The page of the provider to which the browser is sent (OpenID Connect Core 1.0, section 3.1.2.1). */
  async authorizationUrl(request: Readonly<Record<string, string>>): Promise<URL> {
    const { metadata } = await this.discover();
    const { clientId, scopes } = this.provider;
    const url = new URL(metadata.authorization_endpoint);
    const scope = [...new Set(['openid', 'email', 'profile', ...scopes])].join(' ');
    const all = { response_type: 'code', client_id: clientId, scope, code_challenge_method: 'S256', ...request };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url;
  }

  /** The `iss` of a response (RFC 9207): a provider that announces it must send it, and none may send another. */
  async checkResponseIssuer(iss: unknown): Promise<void> {
    const { issuer, authorization_response_iss_parameter_supported: isAnnounced } = (await this.discover()).metadata;
    if (iss === undefined ? isAnnounced === true : iss !== issuer) throw new Error('the response is of another issuer');
  }

  async redeem(grant: { code: string; redirect_uri: string; code_verifier: string }): Promise<RedeemedCode> {
    const { metadata } = await this.discover();
    const { clientId, clientSecret } = this.provider;
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPosted = methods.includes('client_secret_post');
    const body = new URLSearchParams({ grant_type: 'authorization_code', ...grant });
    if (isPosted) {
      body.set('client_id', clientId);
      body.set('client_secret', clientSecret);
    }
    const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isPosted ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    };
    const { id_token, access_token } = await this.json(metadata.token_endpoint, headers, String(body));
    if (typeof id_token !== 'string') throw new Error('the provider sent no ID token');
    return { idToken: id_token, accessToken: typeof access_token === 'string' ? access_token : undefined };
  }

  /** The claims of an ID token (OpenID Connect Core 1.0, section 3.1.3.7). */
  async idClaims(token: string, nonce: string): Promise<JWTPayload & { readonly sub: string }> {
    const claims = await this.verify(token, ['exp', 'iat', 'sub', 'nonce']);
    const isOurs =
      claims.azp === undefined
        ? !Array.isArray(claims.aud) || claims.aud.length === 1
        : claims.azp === this.provider.clientId;
    if (nonce === '' || claims.nonce !== nonce || !isOurs) throw new Error('the ID token was made for another request');
    return claims;
  }

  /** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), and not whether it was used before. */
  async logoutClaims(token: string): Promise<{ readonly sub: string; readonly jti: string }> {
    const claims = await this.verify(token, ['iat', 'jti', 'sub', 'events'], `${maxLogoutTokenSeconds}s`);
    const event = (claims.events as Record<string, unknown>)[logoutEvent];
    if (typeof event !== 'object' || event === null || 'nonce' in claims) throw new Error('this is no logout token');
    return { sub: claims.sub, jti: String(claims.jti) };
  }

  /** What the provider says beyond the ID token; nothing if it has no such endpoint. */
  async userInfo(accessToken: string | undefined, sub: string): Promise<Readonly<Record<string, unknown>>> {
    const { userinfo_endpoint: url } = (await this.discover()).metadata;
    if (url === undefined || accessToken === undefined) return {};
    const claims = await this.json(url, { authorization: `Bearer ${accessToken}` });
    if (claims.sub !== sub) throw new Error('the user info is of another user');
    return claims;
  }

  private async verify(token: string, required: string[], maxTokenAge?: string): Promise<JWTPayload & { sub: string }> {
    const { metadata, keys } = await this.discover();
    const { jwtVerify } = await import('jose');
    const { payload } = await jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience: this.provider.clientId,
      algorithms,
      requiredClaims: required,
      clockTolerance: skewSeconds,
      maxTokenAge,
    });
    if (typeof payload.sub !== 'string' || payload.sub === '') throw new Error('the token names nobody');
    return payload as JWTPayload & { sub: string };
  }

  private async readMetadata(): Promise<Discovered> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const { issuer } = this.provider;
    const metadata = (await this.json(
      `${withoutSlash(issuer)}/.well-known/openid-configuration`,
    )) as unknown as Metadata;
    // The server of another issuer must not sign people in as those of this one (section 4.3).
    if (typeof metadata.issuer !== 'string' || withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
      throw new Error('the discovery document is of another issuer');
    }
    for (const url of [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri]) this.checkUrl(url);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      [customFetch]: async (url: string) => Response.json(await this.json(url)),
    });
    return { metadata, keys, until: Date.now() + metadataMs };
  }

  private async json(url: string, headers?: Record<string, string>, body?: string): Promise<Record<string, unknown>> {
    const { origin } = this.checkUrl(url);
    const http = origin === new URL(this.provider.issuer).origin ? this.own : this.http;
    const response = await http.send({
      url,
      owner: `sign-in ${this.provider.id}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...headers },
      body,
      timeoutMs: maxAnswerMs,
      isUrgent: true,
      maxBytes: maxAnswerBytes,
      maxRedirects: 0,
    });
    if (response.status !== 200) throw new Error(`the provider answered ${response.status}`);
    const value = JSON.parse(response.body.toString()) as unknown;
    if (typeof value !== 'object' || value === null) throw new Error('the provider answered no JSON object');
    return value as Record<string, unknown>;
  }

  /** Throws unless the URL is https, or has the origin of the issuer. */
  private checkUrl(text: string): URL {
    const url = new URL(text);
    if (url.protocol === 'https:' || url.origin === new URL(this.provider.issuer).origin) return url;
    throw new Error('an endpoint of the provider is not https');
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
