import { DomainError, MissingFieldError, ValidationError } from '#kernel';
import type { ValidationError as Violation } from 'class-validator';
import { FieldChecks } from './field-checks.js';

type Shape<T> = new () => T;

/**
 * Converts a parsed JSON body to a validated request object, or throws the contract's error for the first invalid
 * field.
 *
 * Unknown keys are dropped. `null` and `""` count as absent, because some clients send them for absent fields
 * (docs/wire-contract.md section 1.2). The fields in `keepEmpty` may be `""`. An absent field with `@IsDefined()` is a
 * missing field.
 */
export function decodeBody<T extends object>(shape: Shape<T>, body: unknown, keepEmpty: readonly string[] = []): T {
  const given = jsonObject(body);
  const checks = checksOf(shape);
  const instance = new shape();
  for (const [key, value] of Object.entries(given)) {
    if (!checks.has(key) || value === null || (value === '' && !keepEmpty.includes(key))) continue;
    (instance as Record<string, unknown>)[key] = value;
  }
  if (checks.allow(instance)) return instance;
  const [violation] = checks.violationsOf(instance);
  if (violation !== undefined) throw refusalOf(violation);
  return instance;
}

/** The fields of a body. Anything but an object is refused. */
export function jsonObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new ValidationError('The request body must be a JSON object.');
}

const known = new Map<Shape<object>, FieldChecks>();

function checksOf(shape: Shape<object>): FieldChecks {
  const checks = known.get(shape) ?? new FieldChecks(shape);
  known.set(shape, checks);
  return checks;
}

function refusalOf(violation: Violation): DomainError {
  const constraints = violation.constraints ?? {};
  if ('isDefined' in constraints) return new MissingFieldError(violation.property);
  // The library lists the decorators of a field from the last to the first, and the first one checks the type.
  const constraint = Object.keys(constraints).at(-1);
  const context =
    constraint === undefined ? undefined : (violation.contexts?.[constraint] as { code?: string } | undefined);
  const message = Object.values(constraints).at(-1) ?? `The \`${violation.property}\` field is invalid.`;
  return context?.code === undefined ? new ValidationError(message) : new DomainError('invalid', context.code, message);
}
