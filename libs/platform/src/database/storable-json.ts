/**
 * JSON that PostgreSQL keeps whatever somebody else said: without NUL, and without half surrogate pairs, which a text
 * that is cut to a length easily has.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part,
  );
}
