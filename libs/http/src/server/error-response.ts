import { DomainError, ErrorKind } from '#kernel';

/** The wire contract's error body: exactly the first three keys (docs/wire-contract.md section 3.1). */
export interface ErrorBody {
  readonly statusCode: number;
  readonly message: string;
  readonly name: string;
  /** The same once more, for the PHP client alone: see `readableError`. */
  readonly error?: ErrorBody;
}

const statusOfKind: Record<ErrorKind, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  limited: 429,
  unavailable: 503,
};

/** Names to which the contract gives another status than that of their kind. */
const statusOfCode: Readonly<Record<string, number>> = {
  invalid_idempotency_key: 400,
  invalid_json: 400,
  method_not_allowed: 405,
  request_timeout: 408,
  security_error: 451,
  unknown_api_key: 400,
};

/** Internal codes that clients know under a more general name. */
const publicName: Readonly<Record<string, string>> = {
  invalid_json: 'validation_error',
  unknown_api_key: 'validation_error',
};

export function responseOf(error: DomainError): ErrorBody {
  return {
    statusCode: statusOfCode[error.code] ?? statusOfKind[error.kind],
    message: error.message,
    name: publicName[error.code] ?? error.code,
  };
}

/**
 * Where nobody knows better. Suits a restart, a failover of the database, a full disk or too much at once: an earlier
 * retry is useless, and a minute would be too long.
 */
const retryAfterSeconds = 10;

/** The header of an answer that says when to come back (docs/wire-contract.md section 5); none for other statuses. */
export function retryAfter(status: number, error?: unknown): Readonly<Record<string, string>> {
  if (status !== 429 && status !== 503) return {};
  const known = error instanceof DomainError ? error.retryAfterSeconds : undefined;
  return { 'retry-after': String(known ?? retryAfterSeconds) };
}

export const internalError: ErrorBody = {
  statusCode: 500,
  message: 'An unexpected error occurred. Please try again later.',
  name: 'application_error',
};
