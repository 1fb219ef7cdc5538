import { createHash, Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EncodedBytes, LargeText, ValidationError } from '#kernel';

const deepest = 64;
/** Arrays of numbers are bytes of an attachment, up to 40 million of them: they are written a slice at a time. */
const slice = 16_384;

/** Bytes hashed in one go: a tenth of a second for 40 MB would be one in which nobody else is answered. */
const hashedAtOnce = 1024 * 1024;

type Digests = ReadonlyMap<EncodedBytes, Uint8Array>;

/**
 * SHA-256 over the canonical form of parsed JSON: object keys sorted, no white space. Bodies that mean the same have the
 * same fingerprint, however they were written.
 */
export function fingerprintOf(body: unknown, digests: Digests = new Map()): Uint8Array {
  const hash = createHash('sha256');
  write(new Canonical(hash, digests), body, 0);
  return hash.digest();
}

/** The same for a body that may hold bytes, which are hashed a piece at a time. */
export async function fingerprintOfLarge(body: unknown): Promise<Uint8Array> {
  const digests = new Map<EncodedBytes, Uint8Array>();
  for (const encoded of encodedBytesIn(body, 0))
    digests.set(encoded, await digestOf(encoded.bytes ?? new Uint8Array()));
  return fingerprintOf(body, digests);
}

async function digestOf(bytes: Uint8Array): Promise<Uint8Array> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    hash.update(bytes.subarray(at, at + hashedAtOnce));
    await nextTurn();
  }
  return hash.digest();
}

function* encodedBytesIn(value: unknown, depth: number): Generator<EncodedBytes> {
  if (value instanceof EncodedBytes) yield value;
  else if (typeof value === 'object' && value !== null && !(value instanceof LargeText) && depth <= deepest) {
    for (const item of Object.values(value)) yield* encodedBytesIn(item, depth + 1);
  }
}

class Canonical {
  constructor(
    private readonly hash: Hash,
    private readonly digests: Digests,
  ) {}

  update(text: string): void {
    this.hash.update(text);
  }

  updateBytes(encoded: EncodedBytes): void {
    this.hash.update('bytes:').update(this.digests.get(encoded) ?? '');
  }
}

function write(hash: Canonical, value: unknown, depth: number): void {
  if (depth > deepest) throw new ValidationError('The request body is nested too deeply.');
  if (value instanceof EncodedBytes) hash.updateBytes(value);
  else if (value instanceof LargeText) hash.update(JSON.stringify(value.toString()));
  else if (Array.isArray(value)) writeArray(hash, value, depth);
  else if (typeof value === 'object' && value !== null) writeObject(hash, value as Record<string, unknown>, depth);
  else hash.update(JSON.stringify(value) ?? 'null');
}

function writeArray(hash: Canonical, items: readonly unknown[], depth: number): void {
  hash.update('[');
  for (let at = 0; at < items.length; at += slice) {
    const part = items.slice(at, at + slice);
    if (part.every((item) => typeof item === 'number')) hash.update(`${JSON.stringify(part).slice(1, -1)},`);
    else for (const item of part) writeItem(hash, item, depth);
  }
  hash.update(']');
}

function writeItem(hash: Canonical, item: unknown, depth: number): void {
  write(hash, item, depth + 1);
  hash.update(',');
}

function writeObject(hash: Canonical, object: Record<string, unknown>, depth: number): void {
  hash.update('{');
  for (const key of Object.keys(object).sort()) {
    hash.update(`${JSON.stringify(key)}:`);
    writeItem(hash, object[key], depth);
  }
  hash.update('}');
}
