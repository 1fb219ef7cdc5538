import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from './canonical-json.js';

/**
 * Bytes or characters hashed before other requests get a turn. Hashing 39 MB of text without a pause blocked the
 * process for half a second.
 */
const maxHashedPerTurn = 512 * 1024;

/**
 * SHA-256 over the canonical form of parsed JSON. Bodies that differ only in key order or white space have the same
 * fingerprint.
 */
export function fingerprintOf(body: unknown): Uint8Array {
  const hash = createHash('sha256');
  for (const part of canonicalJson(body)) hash.update(part);
  return hash.digest();
}

/** The same fingerprint for a body that may be large. Other requests get turns while it is computed. */
export async function fingerprintOfLarge(body: unknown): Promise<Uint8Array> {
  const hash = createHash('sha256');
  let hashed = 0;
  for (const part of canonicalJson(body)) {
    hash.update(part);
    hashed += part.length;
    if (hashed < maxHashedPerTurn) continue;
    hashed = 0;
    await nextTurn();
  }
  return hash.digest();
}
