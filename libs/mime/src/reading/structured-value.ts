import { decodeText } from './charsets.js';
import { decodeEncodedWords } from './decode-words.js';

/** Maximum number of sections of one continued parameter (RFC 2231). The rest is ignored. */
const maxSections = 200;

/** A field value such as `text/html; charset=utf-8`. The value and the names of the parameters are in lower case. */
export interface StructuredValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads a structured field value (RFC 2045 section 5.1, RFC 2183), also an invalid one. Takes linear time. */
export function readStructured(field: string): StructuredValue {
  const [value = '', ...rest] = piecesOf(field);
  const raw = new Map<string, string>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    if (equals > 0) raw.set(piece.slice(0, equals).trim().toLowerCase(), piece.slice(equals + 1).trim());
  }
  return { value: value.trim().toLowerCase(), parameters: withContinuations(raw) };
}

/** The decoded value of a parameter with text for people, such as `filename`. */
export function readableParameter({ parameters }: StructuredValue, name: string): string | undefined {
  const value = parameters.get(name);
  return value === undefined || value === '' ? undefined : decodeEncodedWords(value);
}

/** Splits a field value at semicolons, and removes quotes and comments. */
function piecesOf(field: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let isQuoted = false;
  let comments = 0;
  for (let at = 0; at < field.length; at++) {
    const sign = field[at] as string;
    if (sign === '\\' && at + 1 < field.length) {
      at++;
      if (comments === 0) piece += field[at] as string;
    } else if (sign === '"' && comments === 0) isQuoted = !isQuoted;
    else if (isQuoted) piece += sign;
    else if (sign === '(') comments++;
    else if (sign === ')' && comments > 0) comments--;
    else if (comments > 0) continue;
    else if (sign === ';') {
      pieces.push(piece);
      piece = '';
    } else piece += sign;
  }
  pieces.push(piece);
  return pieces;
}

/** Joins `name*0*=UTF-8''a%20; name*1=b` into `name` (RFC 2231 sections 3 and 4). It replaces a plain parameter `name`. */
function withContinuations(raw: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const sections = new Map<string, { readonly no: number; readonly value: string; readonly isEncoded: boolean }[]>();
  for (const [key, value] of raw) {
    const star = key.indexOf('*');
    if (star < 0) {
      parameters.set(key, utf8OrLatin1(value));
      continue;
    }
    const name = key.slice(0, star);
    const [, no = '0', mark = ''] = /^\*?(\d{0,4})(\*?)$/.exec(key.slice(star)) ?? [];
    const list = sections.get(name) ?? [];
    const isEncoded = mark === '*' || key.endsWith('*');
    if (list.length < maxSections) list.push({ no: Number(no), value, isEncoded });
    sections.set(name, list);
  }
  for (const [name, list] of sections) {
    list.sort((a, b) => a.no - b.no);
    const [, charset, begun] = /^([^']*)'[^']*'(.*)$/s.exec(list[0]?.value ?? '') ?? [];
    const isExtended = charset !== undefined && list[0]?.isEncoded === true;
    const bytes = list.map(({ value, isEncoded }, index) => {
      const text = index === 0 && isExtended ? (begun as string) : value;
      return isEncoded ? percentDecoded(text) : Buffer.from(text, 'latin1');
    });
    parameters.set(name, decodeText(Buffer.concat(bytes), isExtended && charset !== '' ? charset : 'utf-8'));
  }
  return parameters;
}

function percentDecoded(text: string): Buffer {
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

function utf8OrLatin1(value: string): string {
  return /[\x80-\xff]/.test(value) ? decodeText(Buffer.from(value, 'latin1'), 'utf-8') : value;
}
