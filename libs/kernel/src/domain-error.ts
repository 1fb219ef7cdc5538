/** What kind of refusal this is. Each door (HTTP, SMTP) maps every kind to its own answer. */
export type ErrorKind =
  'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'conflict' | 'too_large' | 'limited' | 'unavailable';

/**
 * A refusal that the customer can act on.
 *
 * `code` is public and stable (the wire contract's `name`); `message` is one sentence without internals.
 */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A field is present but cannot be used. */
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

/** Nothing the caller may see has this id. Another team's resource answers the same. */
export class NotFoundError extends DomainError {
  constructor(thing: string) {
    super('not_found', 'not_found', `${thing} not found`);
  }
}

/** The value, or a `NotFoundError` that names the thing. */
export function found<T>(thing: string, value: T | undefined): T {
  if (value === undefined) throw new NotFoundError(thing);
  return value;
}
