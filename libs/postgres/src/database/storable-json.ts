import { storableText } from '#kernel';
/**
 * JSON that PostgreSQL can store, for any text from outside: without NUL and without half surrogate pairs, which occur
 * where a text is cut to a length.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON.stringify writes both as escapes. Without such an escape the text is already storable.
  if (!escapedTrouble.test(json)) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}

const escapedTrouble = /\\u(?:0000|d[89a-f])/;
