import { storableText } from '#kernel';
/**
 * JSON that PostgreSQL can store, for any text from outside: without NUL and without half surrogate pairs, which occur
 * where a text is cut to a length.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON.stringify writes both as escapes. Without such an escape the text is already storable.
  if (!escapedTrouble.test(json)) return json;
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string') return storableText(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [storableText(key), inner as unknown]));
  });
}

const escapedTrouble = /\\u(?:0000|d[89a-f])/;
