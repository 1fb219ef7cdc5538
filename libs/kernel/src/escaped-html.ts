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
