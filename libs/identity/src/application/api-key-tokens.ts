import { hash, randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `re_` + 8 + `_` + 24 letters and digits, about 190 random bits (docs/wire-contract.md section 1.4). */
export function newApiKeyToken(): string {
  return `re_${characters(8)}_${characters(24)}`;
}

/**
 * SHA-256, under which a key is stored and found. A plain hash suffices, because a token has too much random data to be
 * guessed.
 */
export function hashApiKeyToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function characters(count: number): string {
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');
}
