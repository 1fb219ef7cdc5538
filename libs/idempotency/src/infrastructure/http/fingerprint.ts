import { createHash, Hash } from 'node:crypto';
import { ValidationError } from '#kernel';

const deepest = 64;
/** Arrays of numbers are bytes of an attachment, up to 40 million of them: they are written a slice at a time. */
const slice = 16_384;

/**
 * SHA-256 over the canonical form of parsed JSON: object keys sorted, no white space. Bodies that mean the same have the
 * same fingerprint, however they were written.
 */
export function fingerprintOf(body: unknown): Uint8Array {
  const hash = createHash('sha256');
  write(hash, body, 0);
  return hash.digest();
}

function write(hash: Hash, value: unknown, depth: number): void {
  if (depth > deepest) throw new ValidationError('The request body is nested too deeply.');
  if (Array.isArray(value)) writeArray(hash, value, depth);
  else if (typeof value === 'object' && value !== null) writeObject(hash, value as Record<string, unknown>, depth);
  else hash.update(JSON.stringify(value) ?? 'null');
}

function writeArray(hash: Hash, items: readonly unknown[], depth: number): void {
  hash.update('[');
  for (let at = 0; at < items.length; at += slice) {
    const part = items.slice(at, at + slice);
    if (part.every((item) => typeof item === 'number')) hash.update(`${JSON.stringify(part).slice(1, -1)},`);
    else for (const item of part) writeItem(hash, item, depth);
  }
  hash.update(']');
}

function writeItem(hash: Hash, item: unknown, depth: number): void {
  write(hash, item, depth + 1);
  hash.update(',');
}

function writeObject(hash: Hash, object: Record<string, unknown>, depth: number): void {
  hash.update('{');
  for (const key of Object.keys(object).sort()) {
    hash.update(`${JSON.stringify(key)}:`);
    writeItem(hash, object[key], depth);
  }
  hash.update('}');
}
