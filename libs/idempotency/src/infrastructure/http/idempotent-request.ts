import { checkIdempotencyKey, IdempotentRequest } from '../../domain/idempotency.js';
import { fingerprintOfLarge } from './fingerprint.js';

/** Reads the `Idempotency-Key` header of a request; undefined where there is none. Repeated headers are one value. */
export async function idempotentRequest(
  header: string | undefined,
  teamId: string,
  endpoint: string,
  body: unknown,
): Promise<IdempotentRequest | undefined> {
  const key = checkIdempotencyKey(header);
  return key === undefined ? undefined : { teamId, endpoint, key, fingerprint: await fingerprintOfLarge(body) };
}
