import { ValidationError } from '#kernel';

/** Refuses text that PostgreSQL cannot store: with NUL, or with half of a surrogate pair. */
export function checkStorable(field: string, ...texts: readonly (string | undefined)[]): void {
  for (const text of texts) {
    if (text === undefined || (!text.includes('\0') && text.isWellFormed())) continue;
    throw new ValidationError(`The \`${field}\` field must not contain NUL or half of a surrogate pair.`);
  }
}
