/** Escapes text for HTML, between tags and in quoted attributes. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** UTF-8 length of the escaped text, computed without escaping. */
export function bytesOfEscapedHtml(text: string): number {
  let escapes = 0;
  for (let at = 0; at < text.length; at++) {
    if (isEscaped(text.charCodeAt(at))) escapes++;
  }
  return Buffer.byteLength(text) + escapes * 4;
}

/** Each of the five signs becomes five characters, such as `&#38;`. */
function isEscaped(code: number): boolean {
  return code === 0x26 || code === 0x3c || code === 0x3e || code === 0x22 || code === 0x27;
}

/** Text in a form that PostgreSQL can store: without NUL, and with U+FFFD for each half of a surrogate pair. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/**
 * The text without these characters at its end. A pattern such as `/=+$/` takes quadratic time for a run that ends
 * elsewhere.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
