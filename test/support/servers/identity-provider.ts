import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

export interface ProviderUser {
  readonly id: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly name: string;
}

interface Code {
  readonly user: ProviderUser;
  readonly nonce: string | undefined;
  readonly challenge: string | undefined;
  readonly clientId: string;
}

/** An OpenID provider and a GitHub on loopback. Everybody who is sent there is `user`, and agrees. */
export class IdentityProvider {
  user: ProviderUser = { id: '1', email: 'someone@people.test', isVerified: true, name: 'Someone' };
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly codes = new Map<string, Code>();
  private readonly tokens = new Map<string, ProviderUser>();
  private readonly server = createServer((request, response) => void this.answer(request, response));
  url = '';

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          userinfo_endpoint: `${this.url}/userinfo`,
          jwks_uri: `${this.url}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
        });
      case '/jwks':
        return json({
          keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
        });
      case '/authorize':
      case '/login/oauth/authorize':
        return this.authorize(searchParams, response);
      case '/token':
      case '/login/oauth/access_token':
        return this.token(await bodyOf(request), json);
    }
    const user = this.tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (user === undefined) return json({ error: 'invalid_token' }, 401);
    switch (pathname) {
      case '/userinfo':
        return json({ sub: user.id, email: user.email, email_verified: user.isVerified, name: user.name });
      case '/api/v3/user':
        return json({ id: Number(user.id), login: 'someone', name: user.name, email: null });
      case '/api/v3/user/emails':
        return json([{ email: user.email, primary: true, verified: user.isVerified }]);
      default:
        return json({}, 404);
    }
  }

  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = randomBytes(12).toString('hex');
    this.codes.set(code, {
      user: this.user,
      nonce: query.get('nonce') ?? undefined,
      challenge: query.get('code_challenge') ?? undefined,
      clientId: query.get('client_id') ?? '',
    });
    const target = new URL(query.get('redirect_uri') ?? '');
    target.searchParams.set('code', code);
    target.searchParams.set('state', query.get('state') ?? '');
    response.writeHead(302, { location: String(target) }).end();
  }

  private token(form: URLSearchParams, json: (value: unknown, status?: number) => void): void {
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code === undefined || code.challenge !== challenge) return json({ error: 'invalid_grant' }, 400);
    const token = randomBytes(12).toString('hex');
    this.tokens.set(token, code.user);
    const now = Math.floor(Date.now() / 1_000);
    const { user, nonce, clientId } = code;
    const claims = { iss: this.url, aud: clientId, sub: user.id, iat: now, exp: now + 600, nonce };
    const profile = { email: user.email, email_verified: user.isVerified, name: user.name };
    const id_token = this.signed({ ...claims, ...profile });
    json({ access_token: token, token_type: 'Bearer', expires_in: 600, scope: 'openid email', id_token });
  }

  private signed(claims: object): string {
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${encoded({ alg: 'RS256', kid: 'one' })}.${encoded(claims)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(this.keys.privateKey, 'base64url')}`;
  }
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
