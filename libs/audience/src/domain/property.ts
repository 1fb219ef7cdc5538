import { DomainError, ValidationError } from '#kernel';
import { PropertyValue, reservedKeys } from './contact.js';
import { own } from './contact-patch.js';

export type PropertyType = 'string' | 'number';

export const propertyTypes: readonly PropertyType[] = ['string', 'number'];

/** A field that a team adds to its contacts. Its key and its type never change. */
export interface ContactProperty {
  readonly id: string;
  readonly teamId: string;
  readonly key: string;
  readonly type: PropertyType;
  /** Used in a merge if a contact has no value. */
  readonly fallbackValue: PropertyValue | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const maxProperties = 500;
export const maxKeyLength = 50;
/** Maximum length of a text, in characters. */
export const maxValueLength = 2_000;
/** Maximum of `sizeOf` for the values of a contact. */
export const maxTogether = 65_536;

export class PropertyExistsError extends ValidationError {
  constructor(key: string) {
    super(`A contact property with the key \`${key}\` exists already.`);
  }
}

/** The values of a property that was deleted are still being removed. A new property with its key must not get them. */
export class PropertyInRemovalError extends DomainError {
  constructor(key: string) {
    super('conflict', 'resource_locked', `The values of the deleted property \`${key}\` are still being removed.`);
  }
}

export function checkKey(key: string): string {
  if (!/^\w{1,50}$/.test(key)) {
    throw new ValidationError(
      `The \`key\` may have letters, digits and underscores, and at most ${maxKeyLength} characters.`,
    );
  }
  if (reservedKeys.includes(key.toUpperCase()) || key === '__proto__') {
    throw new ValidationError(`The key \`${key}\` is reserved.`);
  }
  return key;
}

/** Throws ValidationError if a value does not have the type of its property. */
export function checkValue(name: string, type: PropertyType, value: unknown): PropertyValue {
  if (type === 'number') {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new ValidationError(`The value of \`${name}\` must be a number.`);
  }
  if (typeof value !== 'string') throw new ValidationError(`The value of \`${name}\` must be a string.`);
  if (value.length > maxValueLength) {
    throw new ValidationError(`The value of \`${name}\` may have at most ${maxValueLength} characters.`);
  }
  return value;
}

/** The values that a request sets, checked against the properties of the team. Null removes a value. */
export function checkValues(
  values: Readonly<Record<string, unknown>>,
  types: Readonly<Record<string, PropertyType>>,
): Record<string, PropertyValue | null> {
  const checked = Object.entries(values).map(([key, value]): [string, PropertyValue | null] => {
    const type = own(types, key);
    if (type === undefined) throw new ValidationError(`The contact property \`${key.slice(0, 100)}\` does not exist.`);
    return [key, value === null ? null : checkValue(key, type, value)];
  });
  return Object.fromEntries(checked);
}

/** The length of all keys and values together, in UTF-16 units. */
export function sizeOf(values: Readonly<Record<string, PropertyValue>>): number {
  return Object.entries(values).reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
}

/**
 * Throws ValidationError if the values of one contact are too large together, unless they were no smaller before: a
 * contact that is too large can unsubscribe and lose values.
 */
export function checkSize(
  values: Readonly<Record<string, PropertyValue>>,
  before: Readonly<Record<string, PropertyValue>> = {},
): void {
  if (values === before) return;
  const size = sizeOf(values);
  if (size > maxTogether && size > sizeOf(before)) {
    throw new ValidationError(`The properties of a contact may have at most ${maxTogether} characters together.`);
  }
}
