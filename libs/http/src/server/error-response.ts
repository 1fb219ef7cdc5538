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
};

/** Internal codes that clients know under a more general name. */
const publicName: Readonly<Record<string, string>> = { invalid_json: 'validation_error' };

export function responseOf(error: DomainError): ErrorBody {
  return {
    statusCode: statusOfCode[error.code] ?? statusOfKind[error.kind],
    message: error.message,
    name: publicName[error.code] ?? error.code,
  };
}

export const internalError: ErrorBody = {
  statusCode: 500,
  message: 'An unexpected error occurred. Please try again later.',
  name: 'application_error',
};
