import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from 'oidc-provider';

export interface OidcUser {
  readonly sub: string;
  readonly email: string;
  readonly email_verified?: boolean;
  readonly name: string;
  readonly groups?: readonly string[];
}

interface OidcRequest {
  readonly provider: Provider;
  readonly client: { readonly clientId: string };
  readonly session: { readonly accountId: string };
}

type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID provider (`oidc-provider`) on loopback. Everybody who is sent there is `user`, and agrees. */
export class OidcServer {
  static readonly clientId = 'postrider';
  user: OidcUser = { sub: 'nobody', email: 'nobody@people.test', name: 'Nobody' };
  /** Replaces the ID tokens that are given out. */
  forge: ((claims: Claims) => string) | undefined;
  url = '';
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private provider: Provider | undefined;

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The endpoints answer from here on. `service`: origin of the program, which calls this provider `id`. */
  async serve(id: string, service: string): Promise<void> {
    const { Provider: OidcProvider } = await import('oidc-provider');
    const scope = 'openid email profile groups';
    // Cloned: objects of a test file are of another realm, and no plain objects to the package.
    const configuration = structuredClone({
      clients: [
        {
          client_id: OidcServer.clientId,
          client_secret: 'a secret of the client',
          redirect_uris: [`${service}/auth/callback/${id}`],
          backchannel_logout_uri: `${service}/auth/oidc/${id}/back-channel-logout`,
        },
      ],
      scopes: scope.split(' '),
      claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      cookies: { keys: ['a key of cookies'] },
      jwks: { keys: [{ ...this.keys.privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
      ttl: { AccessToken: 600, AuthorizationCode: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      interactions: {},
    });
    this.provider = new OidcProvider(
      this.url,
      Object.assign(configuration, {
        // Its own dispatcher reaches no loopback address.
        fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) =>
          fetch(url, options),
        findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ ...this.user, sub }) }),
        interactions: Object.assign(configuration.interactions, {
          url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}`,
        }),
        loadExistingGrant: async ({ oidc }: { oidc: OidcRequest }) => {
          const { provider, client, session } = oidc;
          const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
          grant.addOIDCScope(scope);
          await grant.save();
          return grant;
        },
      }),
    );
    this.provider.use(async (ctx, next) => {
      await next();
      const { id_token: token } = (ctx.body ?? {}) as { id_token?: string };
      if (ctx.oidc?.route === 'token' && token !== undefined && this.forge !== undefined) {
        ctx.body.id_token = this.forge(claimsIn(token));
      }
    });
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Tells the service that a user is signed out or removed. Rejects if it does not answer with success. */
  async logOut(sub: string): Promise<void> {
    await (await this.provider?.Client.find(OidcServer.clientId))?.backchannelLogout(sub);
  }

  /** Signed with the key of this provider, or as `alg` says. */
  token(claims: Claims, alg: 'RS256' | 'none' | 'HS256' = 'RS256', typ = 'JWT'): string {
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${encoded({ alg, typ, kid: 'one' })}.${encoded(claims)}`;
    switch (alg) {
      case 'none':
        return `${text}.`;
      case 'HS256': {
        const secret = this.keys.publicKey.export({ type: 'spki', format: 'pem' });
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      }
      case 'RS256':
        return `${text}.${sign('sha256', Buffer.from(text), this.keys.privateKey).toString('base64url')}`;
    }
  }

  /** The claims of a good logout token. */
  logoutClaims(sub: string): Claims {
    const now = Math.floor(Date.now() / 1_000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const jti = randomBytes(12).toString('hex');
    return { iss: this.url, aud: OidcServer.clientId, sub, iat: now, exp: now + 120, jti, events };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.provider === undefined) return void response.writeHead(503).end();
    if (request.url?.startsWith('/interaction/') !== true) return this.provider.callback()(request, response);
    await this.provider.interactionFinished(request, response, { login: { accountId: this.user.sub } });
  }
}

function claimsIn(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
}
