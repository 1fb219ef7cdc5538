import { DomainError, MissingFieldError, ValidationError } from '#kernel';
import { validateSync, ValidationError as Violation } from 'class-validator';

type Shape<T> = new () => T;

/**
 * Turns a parsed JSON body into a validated request object, or throws the contract's error for its first fault.
 *
 * Unknown keys are dropped. `null` and `""` count as absent, as some clients send them for fields that were not given
 * (api-contract section 1.2), except in `keepEmpty`. A field that lacks its `@IsDefined()` value is a missing field.
 */
export function decodeBody<T extends object>(shape: Shape<T>, body: unknown, keepEmpty: readonly string[] = []): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationError('The request body must be a JSON object.');
  }
  const instance = new shape();
  for (const [key, value] of Object.entries(body)) {
    // `constructor` and the like would change what the object is; no field has such a name.
    if (key in Object.prototype) continue;
    if (value === null || (value === '' && !keepEmpty.includes(key))) continue;
    (instance as Record<string, unknown>)[key] = value;
  }
  const [violation] = validateSync(instance, { whitelist: true, stopAtFirstError: true, forbidUnknownValues: false });
  if (violation !== undefined) throw refusalOf(violation);
  return instance;
}

function refusalOf(violation: Violation): DomainError {
  const constraints = violation.constraints ?? {};
  if ('isDefined' in constraints) return new MissingFieldError(violation.property);
  const [constraint] = Object.keys(constraints);
  const context =
    constraint === undefined ? undefined : (violation.contexts?.[constraint] as { code?: string } | undefined);
  const message = Object.values(constraints)[0] ?? `The \`${violation.property}\` field is invalid.`;
  return context?.code === undefined ? new ValidationError(message) : new DomainError('invalid', context.code, message);
}
