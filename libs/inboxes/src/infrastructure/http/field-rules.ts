import { LargeText } from '#kernel';
import { ValidateBy } from 'class-validator';

/** Validates a field with a predicate. Otherwise the request is refused with the message. */
export function AllowedBy(predicate: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'allowedBy', validator: { validate: predicate, defaultMessage: () => message } });
}

export const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof LargeText;

export const isStringOrStrings = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

export const isTextMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string');

export const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;
