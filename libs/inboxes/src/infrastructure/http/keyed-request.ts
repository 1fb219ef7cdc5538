import {
  checkIdempotencyKey,
  ConcurrentIdempotentRequestsError,
  fingerprintOfLarge,
  InvalidIdempotencyKeyError,
  InvalidIdempotentRequestError,
  maxKeyLength,
} from '#idempotency';
import type { AuditSettings } from '#identity';
import type { DescribedRefusal } from '#http/openapi';
import { HeaderParameter } from '#http/openapi';
import { KeyedRequest } from '../../application/once.js';

/** The header with which clients may repeat a request. */
export const RepeatableByKey = (): MethodDecorator =>
  HeaderParameter(
    'idempotency-key',
    'Makes repeating the request safe: with the same key and body, you get the first response again and nothing is ' +
      `done twice. 1 to ${maxKeyLength} characters of your choice; remembered for 24 hours.`,
    { minLength: 1, maxLength: maxKeyLength },
    'reply/123456789',
  );

export const keyErrors = (): readonly DescribedRefusal[] => [
  new InvalidIdempotencyKeyError(),
  new InvalidIdempotentRequestError(),
  new ConcurrentIdempotentRequestsError(),
];

/** Undefined if the client sent no key. */
export async function keyedRequest(header: string | undefined, body: unknown): Promise<KeyedRequest | undefined> {
  const key = checkIdempotencyKey(header);
  return key === undefined ? undefined : { key, fingerprint: await fingerprintOfLarge(body ?? {}) };
}

/** Drafts and the emails of inboxes have events that say who wrote them, and the audit log is not for contents of mail. */
export const isMail: AuditSettings = {
  notBecause: 'it is mail, whose contents do not belong into the log, and there is far more of it than changes',
};
