import type { ErrorBody, ShapedError } from '#http/server';
import { DomainError, newId } from '#kernel';
import type { Wire } from '../wire.js';
import { errorXml, SesError } from './ses-query.js';

/** Status and name of an error in version 2, and in version 1. */
type ErrorNames = readonly [status: number, name: string, queryStatus: number, queryCode: string];

const limitExceeded: ErrorNames = [429, 'LimitExceededException', 400, 'LimitExceeded'];

const byCode: Readonly<Record<string, ErrorNames>> = {
  invalid_signature: [403, 'SignatureDoesNotMatch', 403, 'SignatureDoesNotMatch'],
  restricted_api_key: [403, 'AccessDeniedException', 403, 'AccessDenied'],
  daily_quota_exceeded: limitExceeded,
  monthly_quota_exceeded: limitExceeded,
};

const byKind: Readonly<Record<DomainError['kind'], ErrorNames>> = {
  unauthenticated: [403, 'UnrecognizedClientException', 403, 'InvalidClientTokenId'],
  forbidden: [400, 'MailFromDomainNotVerifiedException', 400, 'MessageRejected'],
  // Of what a request of version 1 names only templates are looked for.
  not_found: [404, 'NotFoundException', 400, 'TemplateDoesNotExist'],
  limited: [429, 'TooManyRequestsException', 400, 'Throttling'],
  conflict: [409, 'ConflictException', 409, 'Conflict'],
  too_large: [413, 'MessageRejected', 400, 'MessageRejected'],
  unavailable: [503, 'ServiceUnavailable', 503, 'ServiceUnavailable'],
  invalid: [400, 'BadRequestException', 400, 'InvalidParameterValue'],
};

const ourFault: ErrorNames = [500, 'InternalFailure', 500, 'InternalFailure'];

/** `{ __type, message }`, or XML where a request of version 1 failed: clients make an exception of that name. */
export function sesError(error: ErrorBody, refusal: DomainError | undefined, url: string): ShapedError {
  const { statusCode, message } = error;
  const names = refusal === undefined ? ourFault : (byCode[refusal.code] ?? byKind[refusal.kind]);
  const own = refusal?.kind === 'invalid' && statusCode !== 422 ? statusCode : undefined;
  const [code, queryCode] = refusal instanceof SesError ? [refusal.errorCode, refusal.errorCode] : [names[1], names[3]];
  if (!/^\/ses\/?(?:\?|$)/.test(url)) return { status: own ?? names[0], body: { __type: code, message } };
  const status = own ?? names[2];
  return { status, body: errorXml(status < 500, queryCode, message, newId()) };
}

export const sesWire: Wire = {
  name: 'ses',
  shape: sesError,
  user: null,
  secret: 'the secret access key of an API key, whose id is the access key id',
  // Requests are signed.
  tokenOf: () => undefined,
};
