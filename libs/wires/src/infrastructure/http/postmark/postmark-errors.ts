import type { ErrorBody, ShapedError } from '#http/server';
import { DomainError } from '#kernel';

/** A refusal with a code of Postmark's own list. */
export class PostmarkError extends DomainError {
  constructor(
    readonly errorCode: number,
    message: string,
    kind: 'invalid' | 'not_found' = 'invalid',
  ) {
    super(kind, kind === 'not_found' ? 'not_found' : 'validation_error', message);
  }
}

/** Codes by our code of the refusal. */
const codes: Readonly<Record<string, number>> = {
  invalid_json: 402,
  daily_quota_exceeded: 405,
  monthly_quota_exceeded: 405,
  rate_limit_exceeded: 429,
  invalid_idempotent_request: 409,
  concurrent_idempotent_requests: 409,
};

const notSender = 400;
const pendingApproval = 412;
const invalidRequest = 300;

/** `{ ErrorCode, Message }`, mostly with the status 422, as the clients of Postmark read it. */
export function postmarkError({ statusCode, message }: ErrorBody, refusal: DomainError | undefined): ShapedError {
  const body = (ErrorCode: number): object => ({ ErrorCode, Message: message });
  switch (refusal?.kind) {
    case undefined:
      return { status: 500, body: body(500) };
    case 'unauthenticated':
      return { status: 401, body: body(10) };
    case 'invalid':
      return { status: statusOfInvalid(statusCode), body: body(codeOf(refusal)) };
    case 'forbidden':
      return { status: 422, body: body(codeOf(refusal)) };
    case 'not_found':
      return { status: 404, body: body(refusal instanceof PostmarkError ? refusal.errorCode : 404) };
    case 'limited':
      return { status: codeOf(refusal) === 405 ? 422 : 429, body: body(codeOf(refusal)) };
    case 'too_large':
    case 'conflict':
    case 'unavailable':
      return { status: statusCode, body: body(codes[refusal.code] ?? statusCode) };
  }
}

export function codeOf(refusal: DomainError): number {
  if (refusal instanceof PostmarkError) return refusal.errorCode;
  const known = codes[refusal.code];
  if (known !== undefined) return known;
  if (refusal.kind !== 'forbidden') return invalidRequest;
  return refusal.name === 'SandboxDomainError' ? pendingApproval : notSender;
}

function statusOfInvalid(statusCode: number): number {
  return statusCode === 405 || statusCode === 408 ? statusCode : 422;
}
