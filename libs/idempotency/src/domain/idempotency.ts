import { DomainError } from '#kernel';

/** A request that its sender may repeat without having it done twice. */
export interface IdempotentRequest {
  readonly teamId: string;
  /** Method and path: a key may be used once for each endpoint. */
  readonly endpoint: string;
  readonly key: string;
  /** SHA-256 of the canonical form of the body. */
  readonly fingerprint: Uint8Array;
}

/** A request that asks to be the one that is done, with the answer that all its repetitions get. */
export interface IdempotencyClaim {
  readonly request: IdempotentRequest;
  /** Any JSON value but null. */
  readonly answer: unknown;
  readonly claimedAt: Date;
}

/** What was done under a key before. */
export interface KnownRequest {
  readonly kind: 'known';
  readonly fingerprint: Uint8Array;
  readonly answer: unknown;
}

/**
 * `claimed`: it is the first, and the key is its own with the commit. `in progress`: another request with the key is
 * under way and nobody knows yet how it ends.
 */
export type ClaimResult = { readonly kind: 'claimed' } | { readonly kind: 'in progress' } | KnownRequest;

/** How long a key is remembered (docs/wire-contract.md section 4). */
export const keyLifeMs = 24 * 3_600_000;

export const maxKeyLength = 256;

/** PostgreSQL stores no NUL. Those of C1 may be bytes of UTF-8, which an HTTP header shows one by one. */
const controls = /[\u0000-\u001f\u007f]/;

/** The key as the client sent it; undefined where it sent none. */
export function checkIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (key.length < 1 || key.length > maxKeyLength) throw new InvalidIdempotencyKeyError();
  if (controls.test(key) || !key.isWellFormed()) throw new UnusableIdempotencyKeyError();
  return key;
}

/** The stored answer to a repetition of the same request. */
export function replay(request: IdempotentRequest, known: KnownRequest): unknown {
  const same =
    known.fingerprint.length === request.fingerprint.length &&
    known.fingerprint.every((byte, index) => byte === request.fingerprint[index]);
  if (!same) throw new InvalidIdempotentRequestError();
  return known.answer;
}

export class InvalidIdempotencyKeyError extends DomainError {
  constructor() {
    super(
      'invalid',
      'invalid_idempotency_key',
      `The idempotency key must have between 1 and ${maxKeyLength} characters.`,
    );
  }
}

export class UnusableIdempotencyKeyError extends DomainError {
  constructor() {
    super('invalid', 'invalid_idempotency_key', 'The idempotency key must not contain control characters.');
  }
}

export class InvalidIdempotentRequestError extends DomainError {
  constructor() {
    super(
      'conflict',
      'invalid_idempotent_request',
      'This idempotency key has been used with another request body. Use a new key, or the same body.',
    );
  }
}

export class ConcurrentIdempotentRequestsError extends DomainError {
  constructor() {
    super(
      'conflict',
      'concurrent_idempotent_requests',
      'Another request with the same idempotency key is still in progress. Try again in a moment.',
    );
  }
}
