/** Text in a form that PostgreSQL can store: without NUL, and with U+FFFD for each half of a surrogate pair. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
