import { checkIdempotencyKey, IdempotentRequest } from '../../domain/idempotency.js';
import { fingerprintOf } from './fingerprint.js';

/** Reads the `Idempotency-Key` header of a request; undefined where there is none. Repeated headers are one value. */
export function idempotentRequest(
  header: string | undefined,
  teamId: string,
  endpoint: string,
  body: unknown,
): IdempotentRequest | undefined {
  const key = checkIdempotencyKey(header);
  return key === undefined ? undefined : { teamId, endpoint, key, fingerprint: fingerprintOf(body) };
}
