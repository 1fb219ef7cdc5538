import type { ErrorBody, ShapedError } from '#http/server';
import type { DomainError } from '#kernel';
import type { Wire } from '../wire.js';

/** Names of exceptions by our code of the refusal. */
const exceptions: Readonly<Record<string, string>> = {
  invalid_signature: 'SignatureDoesNotMatch',
  daily_quota_exceeded: 'LimitExceededException',
  monthly_quota_exceeded: 'LimitExceededException',
};

/** `{ __type, message }`: clients make an exception of that name. */
export function sesError({ statusCode, message }: ErrorBody, refusal: DomainError | undefined): ShapedError {
  const [status, name] = kindOf(statusCode, refusal);
  return { status, body: { __type: (refusal && exceptions[refusal.code]) ?? name, message } };
}

function kindOf(statusCode: number, refusal: DomainError | undefined): readonly [number, string] {
  switch (refusal?.kind) {
    case undefined:
      return [500, 'InternalFailure'];
    case 'unauthenticated':
      return [403, 'UnrecognizedClientException'];
    case 'forbidden':
      return refusal.code === 'invalid_signature' ? [403, ''] : [400, 'MailFromDomainNotVerifiedException'];
    case 'not_found':
      return [404, 'NotFoundException'];
    case 'limited':
      return [429, 'TooManyRequestsException'];
    case 'conflict':
      return [409, 'ConflictException'];
    case 'too_large':
      return [413, 'MessageRejected'];
    case 'unavailable':
      return [503, 'ServiceUnavailable'];
    case 'invalid':
      return [statusCode === 422 ? 400 : statusCode, 'BadRequestException'];
  }
}

export const sesWire: Wire = {
  name: 'ses',
  shape: sesError,
  user: null,
  secret: 'the secret access key of an API key, whose id is the access key id',
  // Requests are signed.
  tokenOf: () => undefined,
};
