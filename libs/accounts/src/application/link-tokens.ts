import { createHash, randomBytes } from 'node:crypto';

/** The token of a link in mail: 256 random bits. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, under which the token of a link is stored. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
