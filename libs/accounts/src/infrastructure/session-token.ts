import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#platform/secrets';

const prefix = 'sha256:';

/** What is stored of the token of a session. A plain hash suffices, because a token has 190 random bits. */
export function hashedSessionToken(token: string): string {
  return `${prefix}${createHash('sha256').update(token).digest('base64url')}`;
}

export function isHashedSessionToken(value: string): boolean {
  return value.startsWith(prefix);
}

const maxCookieLength = 500;

/**
 * The token in a signed cookie of better-auth: `<token>.<HMAC-SHA-256 in base64>`, percent-encoded. Returns undefined
 * if the signature is not one of this installation.
 */
export function signedToken(cookie: string, secret: string): string | undefined {
  if (cookie.length > maxCookieLength) return undefined;
  const value = decoded(cookie);
  const at = value.lastIndexOf('.');
  if (at < 1) return undefined;
  const token = value.slice(0, at);
  const expected = createHmac('sha256', secret).update(token).digest();
  const given = Buffer.from(value.slice(at + 1), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}

function decoded(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return '';
  }
}

/** The secrets with which cookies and mailed links are signed and second factors are encrypted. */
@Injectable()
export class AuthSecrets {
  readonly all: readonly { readonly id: number; readonly value: string }[];

  constructor(box: SecretBox) {
    this.all = box.derived('sign-in');
  }

  /** A new SECRET_KEY ends all sessions: cookies are signed with the current secret only. */
  get current(): string {
    return this.all[0]?.value ?? '';
  }
}
