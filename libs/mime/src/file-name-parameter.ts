import { FoldingField } from './header-field.js';

/**
 * Maximum length of an ASCII name that is written as one quoted string. Parsers read long lines better than
 * continuations.
 */
const maxPlainNameLength = 200;
/** Columns of one RFC 2231 section, without name and quotes. */
const sectionLength = 60;

const plainInExtended = /[A-Za-z0-9!#$&+\-.^_`|~]/;

/**
 * Adds a file name to a MIME header as a parameter.
 *
 * A name that is long or not ASCII is written twice: as `filename="fallback"` for parsers that know only RFC 2045, and as
 * `filename*=UTF-8''...` (RFC 2231, RFC 5987) for all others, which prefer it. Control characters become underscores.
 */
export function addFileName(field: FoldingField, parameter: string, name: string): void {
  const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '_');
  const isPlain = clean.length <= maxPlainNameLength && !/[^\x20-\x7e]/.test(clean) && !clean.includes('=?');
  addParameter(field, `${parameter}=${quoted(asciiFallback(clean))}`);
  if (!isPlain) addExtended(field, parameter, clean);
}

function addExtended(field: FoldingField, parameter: string, name: string): void {
  const sections = extendedSections(name);
  if (sections.length === 1) {
    addParameter(field, `${parameter}*=UTF-8''${sections[0]}`);
    return;
  }
  sections.forEach((section, index) => {
    addParameter(field, `${parameter}*${index}*=${index === 0 ? "UTF-8''" : ''}${section}`);
  });
}

function addParameter(field: FoldingField, parameter: string): void {
  field.append(';');
  field.add(parameter);
}

function asciiFallback(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replaceAll('=?', '__');
  if (ascii.length <= maxPlainNameLength) return ascii;
  const dot = ascii.lastIndexOf('.');
  const extension = dot > 0 && ascii.length - dot <= 12 ? ascii.slice(dot) : '';
  return ascii.slice(0, maxPlainNameLength - extension.length) + extension;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Percent-encodes the name in sections of whole characters. */
function extendedSections(name: string): string[] {
  const sections: string[] = [];
  let section = '';
  for (const character of name) {
    const encoded = plainInExtended.test(character) ? character : percentEncoded(character);
    if (section.length + encoded.length > sectionLength) {
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
