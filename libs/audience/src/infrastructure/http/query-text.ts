import { ValidationError } from '#kernel';

/** A query parameter that is given at most once. Empty counts as absent. */
export function textFrom(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new ValidationError(`The \`${name}\` parameter must be given once.`);
  return value;
}
