import { checkIdempotencyKey, fingerprintOf, IdempotentRequest } from '#idempotency';
import { RawSendRequest } from '../domain/raw-email.js';

/**
 * A client that repeats a message writes a new Date, Message-ID and boundaries into it. So two messages count as the
 * same if their envelope, addresses, subject and tags are equal.
 */
export function idempotentRawRequest(teamId: string, request: RawSendRequest): IdempotentRequest | undefined {
  const key = checkIdempotencyKey(request.idempotencyKey);
  if (key === undefined) return undefined;
  const { from, to, cc, replyTo, subject, tags } = request;
  const recipients = request.recipients.map((address) => address.toLowerCase()).sort();
  return {
    teamId,
    endpoint: 'SMTP',
    key,
    fingerprint: fingerprintOf({ recipients, from, to, cc, replyTo, subject, tags }),
  };
}
