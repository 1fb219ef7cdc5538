import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface AccessClaims {
  readonly grantId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scope: string;
}

const header = encoded({ alg: 'HS256', typ: 'at+jwt' });
const maxLength = 4_000;

/** Makes and checks the tokens of tools. Access tokens are JWTs with HS256: only this service checks them. */
export class ToolTokens {
  /** Seconds for which an access token is valid. */
  readonly accessSeconds = 900;

  /** `keys`: the first one signs, and all of them are accepted. */
  constructor(private readonly keys: readonly string[]) {}

  /** A JWT. Clients read from it when it ends. */
  access({ grantId, clientId, userId, scope }: AccessClaims, now: Date): string {
    const iat = Math.floor(now.getTime() / 1_000);
    const times = { iat, exp: iat + this.accessSeconds };
    const body = encoded({ sub: userId, client_id: clientId, grant_id: grantId, scope, ...times });
    return `${header}.${body}.${signature(this.keys[0] ?? '', body).toString('base64url')}`;
  }

  /** Returns undefined if the token was not made here, or has expired. */
  open(token: string, now: Date): AccessClaims | undefined {
    const [head, body = '', given = '', ...more] = token.length > maxLength ? [] : token.split('.');
    if (head !== header || more.length > 0) return undefined;
    if (!this.isSigned(body, given)) return undefined;
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, string> & { exp: number };
    if (claims.exp * 1_000 <= now.getTime()) return undefined;
    const { sub = '', client_id = '', grant_id = '', scope = '' } = claims;
    return { userId: sub, clientId: client_id, grantId: grant_id, scope };
  }

  /** 256 random bits. */
  opaque(): string {
    return randomBytes(32).toString('base64url');
  }

  /** A refresh token: 256 random bits, signed together with the grant, so that it names its grant after it was replaced. */
  refresh(grantId: string): string {
    const body = `${grantId}.${this.opaque()}`;
    return `${body}.${signature(this.keys[0] ?? '', body).toString('base64url')}`;
  }

  /** Returns undefined if the token was not made by `refresh`. */
  grantOf(refreshToken: string): string | undefined {
    const [grantId = '', random = '', given = '', ...more] =
      refreshToken.length > maxLength ? [] : refreshToken.split('.');
    if (more.length > 0 || !this.isSigned(`${grantId}.${random}`, given)) return undefined;
    return grantId;
  }

  hash(token: string): Buffer {
    return createHash('sha256').update(token).digest();
  }

  /** Returns whether `verifier` is the secret of a PKCE challenge with S256 (RFC 7636). */
  fits(verifier: string, challenge: string): boolean {
    if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
    return createHash('sha256').update(verifier).digest('base64url') === challenge;
  }

  private isSigned(body: string, given: string): boolean {
    const bytes = Buffer.from(given, 'base64url');
    return this.keys.some((key) => {
      const expected = signature(key, body);
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(key: string, body: string): Buffer {
  return createHmac('sha256', key).update(`${header}.${body}`).digest();
}
