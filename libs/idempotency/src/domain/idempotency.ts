import { DomainError } from '#kernel';

/** A request that its sender may repeat without its being done twice. */
export interface IdempotentRequest {
  readonly teamId: string;
  /** Method and path: a key may be used once for each endpoint. */
  readonly endpoint: string;
  readonly key: string;
  /** SHA-256 of the canonical form of the body. */
  readonly fingerprint: Uint8Array;
}

/** A request that asks to be the first with its key, and the response that all repetitions get. */
export interface IdempotencyClaim {
  readonly request: IdempotentRequest;
  /** Any JSON value except null. */
  readonly response: unknown;
  readonly claimedAt: Date;
}

/** A request that was done under the key before, and its response. */
export interface KnownRequest {
  readonly kind: 'known';
  readonly fingerprint: Uint8Array;
  readonly response: unknown;
}

/**
 * `claimed`: this request is the first, and holds the key once its transaction commits. `in progress`: another request
 * with the key is still running, and its result is not known yet.
 */
export type ClaimResult = { readonly kind: 'claimed' } | { readonly kind: 'in progress' } | KnownRequest;

/** How long a key is remembered (docs/wire-contract.md section 4). */
export const keyLifeMs = 24 * 3_600_000;

export const maxKeyLength = 256;

/**
 * Control characters are refused; PostgreSQL cannot store NUL. C1 characters are allowed: a header value arrives as one
 * character per byte, so they may be bytes of UTF-8 text.
 */
const controls = /[\u0000-\u001f\u007f]/;

/** Returns the client's key unchanged, or undefined if it sent none. Throws if the key is not valid. */
export function checkIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (key.length < 1 || key.length > maxKeyLength) throw new InvalidIdempotencyKeyError();
  if (controls.test(key) || !key.isWellFormed()) throw new UnusableIdempotencyKeyError();
  return key;
}

/** The stored response, for a repetition of the same request. Throws if the body differs. */
export function replay(request: IdempotentRequest, known: KnownRequest): unknown {
  const same =
    known.fingerprint.length === request.fingerprint.length &&
    known.fingerprint.every((byte, index) => byte === request.fingerprint[index]);
  if (!same) throw new InvalidIdempotentRequestError();
  return known.response;
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
