/** Preferred line length without CRLF, and the limit no line may pass (RFC 5322 section 2.1.1). */
export const preferredLineLength = 78;
export const maxLineLength = 998;

/** A token as long as this leaves no room for the field name on a line, so it cannot go out as it is. */
export const maxTokenLength = maxLineLength - preferredLineLength;

const fieldName = /^[\x21-\x39\x3b-\x7e]{1,76}$/;
const lineBreakOrNull = /[\r\n\0]/;

/**
 * A header the composer will not write, because it would end the field early or begin another one.
 *
 * The doors refuse such input with words for the customer; this is the last line of defence behind them.
 */
export class UnsafeHeaderError extends Error {
  constructor(field: string) {
    super(`Header "${field.replace(/[^\x20-\x7e]/g, '?').slice(0, 76)}" cannot be written safely`);
    this.name = 'UnsafeHeaderError';
  }
}

/** Whether a header made of this name and value is one field and nothing else (RFC 5322 section 2.2). */
export function isSafeHeader(name: string, value: string): boolean {
  return fieldName.test(name) && !lineBreakOrNull.test(value);
}

export function assertSafeHeader(name: string, value: string): void {
  if (!isSafeHeader(name, value)) throw new UnsafeHeaderError(name);
}

/**
 * Joins tokens with a space, or with a fold where the next token would pass 78 columns (RFC 5322 section 2.2.3).
 *
 * The first token stays on the line of the name: a line of nothing but a field name upsets old parsers. A token is
 * never broken; the caller keeps each of them shorter than `maxTokenLength`.
 */
export class FoldingField {
  private text: string;
  private lineStart = 0;
  private hasToken = false;

  constructor(name: string) {
    this.text = `${name}:`;
  }

  /** How many columns are left for a token on this line, its leading space already taken off. */
  get room(): number {
    return preferredLineLength - (this.text.length - this.lineStart) - 1;
  }

  add(token: string): void {
    if (this.hasToken && token.length > this.room) this.fold();
    this.text += ` ${token}`;
    this.hasToken = true;
  }

  /** Continues the last token: a comma, a semicolon. */
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
 * Folds a printable ASCII value before runs of white space, and changes nothing else: unfolding gives the value back.
 *
 * That is what keeps structured values (List-Unsubscribe, References) whole. Expects tokens within `maxTokenLength`.
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
