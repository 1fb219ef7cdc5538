/**
 * JSON that PostgreSQL keeps whatever somebody else said: without NUL, and without half surrogate pairs, which a text
 * that is cut to a length easily has.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Both are written as escapes: without one of these there is nothing to mend.
  if (!escapedTrouble.test(json)) return json;
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part,
  );
}

const escapedTrouble = /\\u(?:0000|d[89a-f])/;
