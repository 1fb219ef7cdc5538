import { encodedWords } from './encoded-words.js';
import { FoldingField } from './header-field.js';

/**
 * Maximum length of an ASCII name that is written as one quoted string. Parsers read long lines better than
 * continuations.
 */
const maxPlainNameLength = 200;
/** Columns of one RFC 2231 section, without name and quotes. A name that would need more than `maxSections` has longer ones. */
const sectionLength = 60;
/** Ruby's reader joins the sections in the alphabetical order of their numbers. */
const maxSections = 10;
/** Columns of one character: four bytes. */
const maxEncodedLength = 12;
/** Leaves room for `name="` on the line. */
const firstWordLength = 68;

const plainInExtended = /[A-Za-z0-9!#$&+\-.^_`|~]/;

/**
 * Adds `filename` to Content-Disposition. Control characters become underscores.
 *
 * A name that is long or not ASCII is written as RFC 2231 alone. A plain `filename` beside it, as HTTP has it, is what
 * Python's reader and others show.
 */
export function addFileName(field: FoldingField, name: string): void {
  const clean = cleaned(name);
  if (isPlain(clean)) return addParameter(field, `filename=${quoted(clean)}`);
  const sections = extendedSections(clean);
  sections.forEach((section, index) => {
    const star = sections.length === 1 ? '*' : `*${index}*`;
    addParameter(field, `filename${star}=${index === 0 ? "UTF-8''" : ''}${section}`);
  });
}

/**
 * Adds `name` to Content-Type, for readers that do not know Content-Disposition or RFC 2231. RFC 2047 does not allow
 * encoded words there, but such readers decode them.
 */
export function addTypeName(field: FoldingField, name: string): void {
  const clean = cleaned(name);
  if (isPlain(clean)) return addParameter(field, `name=${quoted(clean)}`);
  field.append(';');
  const words = encodedWords(clean, firstWordLength);
  words.forEach((word, index) => {
    field.add(`${index === 0 ? 'name="' : ''}${word}${index === words.length - 1 ? '"' : ''}`);
  });
}

function cleaned(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '_');
}

function isPlain(name: string): boolean {
  return name.length <= maxPlainNameLength && !/[^\x20-\x7e]/.test(name) && !name.includes('=?');
}

function addParameter(field: FoldingField, parameter: string): void {
  field.append(';');
  field.add(parameter);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Percent-encodes the name in sections of whole characters. */
function extendedSections(name: string): string[] {
  const characters = Array.from(name, (character) =>
    plainInExtended.test(character) ? character : percentEncoded(character),
  );
  const length = characters.reduce((sum, encoded) => sum + encoded.length, 0);
  const maxLength = Math.max(sectionLength, Math.ceil(length / maxSections) + maxEncodedLength);
  const sections: string[] = [];
  let section = '';
  for (const encoded of characters) {
    if (section.length + encoded.length > maxLength) {
      sections.push(section);
      section = '';
    }
    section += encoded;
  }
  sections.push(section);
  return sections;
}

/** UTF-8 bytes as `%XX`. A lone surrogate becomes U+FFFD; encodeURIComponent would throw. */
export function percentEncoded(character: string): string {
  let text = '';
  for (const byte of Buffer.from(character, 'utf8')) {
    text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}
