import { readable } from '#mime';

/** Characters of a field that are kept. */
const maxLength = 2_000;

/** A header value for people and for PostgreSQL, which stores neither NUL nor half of a surrogate pair. */
export function shownText(value: string | undefined, limit = maxLength): string {
  if (value === undefined) return '';
  return readable(value)
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, limit)
    .toWellFormed();
}
