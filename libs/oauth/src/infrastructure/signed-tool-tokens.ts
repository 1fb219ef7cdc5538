import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { AccessClaims, ToolTokens } from '../application/ports/tool-tokens.port.js';

const header = encoded({ alg: 'HS256', typ: 'at+jwt' });
const maxLength = 4_000;

/** Access tokens are JWTs with HS256: only this service checks them. */
@Injectable()
export class SignedToolTokens extends ToolTokens {
  readonly accessSeconds = 900;
  private readonly keys: readonly string[];

  constructor(secrets: SecretBox) {
    super();
    this.keys = secrets.derived('tokens of tools').map(({ value }) => value);
  }

  access({ grantId, clientId, userId, scope }: AccessClaims, now: Date): string {
    const iat = Math.floor(now.getTime() / 1_000);
    const times = { iat, exp: iat + this.accessSeconds };
    const body = encoded({ sub: userId, client_id: clientId, grant_id: grantId, scope, ...times });
    return `${header}.${body}.${signature(this.keys[0] ?? '', body).toString('base64url')}`;
  }

  open(token: string, now: Date): AccessClaims | undefined {
    const [head, body = '', given = '', ...more] = token.length > maxLength ? [] : token.split('.');
    if (head !== header || more.length > 0) return undefined;
    const bytes = Buffer.from(given, 'base64url');
    const isSigned = this.keys.some((key) => {
      const expected = signature(key, body);
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
    if (!isSigned) return undefined;
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, string> & { exp: number };
    if (claims.exp * 1_000 <= now.getTime()) return undefined;
    const { sub = '', client_id = '', grant_id = '', scope = '' } = claims;
    return { userId: sub, clientId: client_id, grantId: grant_id, scope };
  }

  opaque(): string {
    return randomBytes(32).toString('base64url');
  }

  hash(token: string): Buffer {
    return createHash('sha256').update(token).digest();
  }

  fits(verifier: string, challenge: string): boolean {
    if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
    return createHash('sha256').update(verifier).digest('base64url') === challenge;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(key: string, body: string): Buffer {
  return createHmac('sha256', key).update(`${header}.${body}`).digest();
}
