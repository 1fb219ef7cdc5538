/** Preferred and maximum length of a line without CRLF (RFC 5322 section 2.1.1). */
export const preferredLineLength = 78;
export const maxLineLength = 998;

/** A token of this length leaves no room for the field name on the line, so it must be encoded. */
export const maxTokenLength = maxLineLength - preferredLineLength;

const fieldName = /^[\x21-\x39\x3b-\x7e]{1,76}$/;
const lineBreakOrNull = /[\r\n\0]/;

/**
 * A header that the composer refuses to write, because it would end the field early or begin another field.
 *
 * HTTP and SMTP refuse such input earlier, with a message for the customer. This error is the second line of defence.
 */
export class UnsafeHeaderError extends Error {
  constructor(field: string) {
    super(`Header "${field.replace(/[^\x20-\x7e]/g, '?').slice(0, 76)}" cannot be written safely`);
    this.name = 'UnsafeHeaderError';
  }
}

/** Whether a header with this name and value is exactly one field (RFC 5322 section 2.2). */
export function isSafeHeader(name: string, value: string): boolean {
  return fieldName.test(name) && !lineBreakOrNull.test(value);
}

export function assertSafeHeader(name: string, value: string): void {
  if (!isSafeHeader(name, value)) throw new UnsafeHeaderError(name);
}

/**
 * Joins tokens with a space, or with a fold where the next token would exceed 78 columns (RFC 5322 section 2.2.3).
 *
 * The first token is on the line of the name, because old parsers fail on a line that has only a field name. A token is
 * never split. The caller guarantees that each token is shorter than `maxTokenLength`.
 */
export class FoldingField {
  private text: string;
  private lineStart = 0;
  private hasToken = false;

  constructor(name: string) {
    this.text = `${name}:`;
  }

  /** Columns that are left for a token on this line, without its leading space. */
  get room(): number {
    return preferredLineLength - (this.text.length - this.lineStart) - 1;
  }

  add(token: string): void {
    if (this.hasToken && token.length > this.room) this.fold();
    this.text += ` ${token}`;
    this.hasToken = true;
  }

  /** Appends text, such as a comma or a semicolon, to the last token. */
  append(text: string): void {
    this.text += text;
  }

  toString(): string {
    return `${this.text}\r\n`;
  }

  private fold(): void {
    this.text += '\r\n';
    this.lineStart = this.text.length;
  }
}

/**
 * Folds a printable ASCII value before runs of white space. Unfolding returns the same value, which structured fields
 * (List-Unsubscribe, References) require. Tokens must be shorter than `maxTokenLength`.
 */
export function foldAsciiValue(name: string, value: string): string {
  if (value === '') return `${name}:\r\n`;
  if (name.length + 2 + value.length <= preferredLineLength) return `${name}: ${value}\r\n`;

  let text = `${name}:`;
  let column = text.length;
  let space = ' ';
  for (const [word] of value.matchAll(/[ \t]+|[^ \t]+/g)) {
    if (isWhiteSpace(word)) {
      space = word;
      continue;
    }
    const isFirst = text.length === name.length + 1;
    if (!isFirst && column + space.length + word.length > preferredLineLength) {
      text += '\r\n';
      column = 0;
    }
    text += space + word;
    column += space.length + word.length;
  }
  return `${text}\r\n`;
}

function isWhiteSpace(word: string): boolean {
  return word.startsWith(' ') || word.startsWith('\t');
}
