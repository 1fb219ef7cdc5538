import { scryptSync } from 'node:crypto';
import type { Parser } from '#platform/parsing';

/** The cost that better-auth has for scrypt: 16 MB and about 50 ms. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 } as const;
const keyBytes = 64;

/** The key of a password, which is in UTF-8 and normalised (NFKC). */
export function parse(password: Uint8Array, salt: string): Uint8Array {
  return scryptSync(password, salt, keyBytes, cost);
}

export const passwordKey: Parser<string, Uint8Array> = { url: import.meta.url, parse, maxInlineBytes: -1 };
