import { checkIdempotencyKey, IdempotentRequest } from '../../domain/idempotency.js';
import { fingerprintOfLarge } from './fingerprint.js';

/**
 * Makes an idempotent request from the `Idempotency-Key` header; undefined if there is none. Repeated headers count
 * as one value.
 */
export async function idempotentRequest(
  header: string | undefined,
  teamId: string,
  endpoint: string,
  body: unknown,
): Promise<IdempotentRequest | undefined> {
  const key = checkIdempotencyKey(header);
  return key === undefined ? undefined : { teamId, endpoint, key, fingerprint: await fingerprintOfLarge(body) };
}
