/** The kind of a refusal. HTTP maps each kind to a status, SMTP maps each kind to a reply code. */
export type ErrorKind =
  'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'conflict' | 'too_large' | 'limited' | 'unavailable';

/**
 * A refusal that the customer can act on.
 *
 * `code` is public and stable (the wire contract's `name`); `message` is one sentence without internals.
 * `retryAfterSeconds` says when the same request may succeed, where that is known.
 */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A field is present but its value cannot be used. */
export class ValidationError extends DomainError {
  constructor(message: string) {
    super('invalid', 'validation_error', message);
  }
}

/** A required field is absent. */
export class MissingFieldError extends DomainError {
  constructor(field: string) {
    super('invalid', 'missing_required_field', `Missing \`${field}\` field.`);
  }
}

/** The caller's team has nothing with this id. The error is the same where another team has it. */
export class NotFoundError extends DomainError {
  constructor(thing: string) {
    super('not_found', 'not_found', `${thing} not found`);
  }
}

/** Returns the value. Throws a `NotFoundError` that names the thing if the value is undefined. */
export function found<T>(thing: string, value: T | undefined): T {
  if (value === undefined) throw new NotFoundError(thing);
  return value;
}
