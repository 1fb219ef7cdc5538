import type { Mailbox } from '#kernel';
import { encodedWords } from './encoded-words.js';
import { assertSafeHeader, FoldingField, foldAsciiValue, maxTokenLength } from './header-field.js';

const printableAscii = /^[\t\x20-\x7e]*$/;
const tooLongToken = new RegExp(`[^ \\t]{${maxTokenLength}}|[ \\t]{${maxTokenLength}}`);
const atoms = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+(?: [A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/;

/** A longer name is written as encoded words, which can be folded. A quoted string cannot be folded. */
const maxPlainNameLength = 60;

/**
 * A header with text for people (a subject). Text that looks like an encoded word is encoded, so that readers show it
 * as it is.
 */
export function textHeader(name: string, value: string): string {
  assertSafeHeader(name, value);
  const text = value.trim();
  return isPlain(text) && !text.includes('=?') ? foldAsciiValue(name, text) : encodedHeader(name, text);
}

/**
 * A header whose value is structured. An ASCII value, including encoded words of the caller, is folded and otherwise
 * unchanged. Any other value is encoded as a whole.
 */
export function rawHeader(name: string, value: string): string {
  assertSafeHeader(name, value);
  const text = value.trim();
  return isPlain(text) ? foldAsciiValue(name, text) : encodedHeader(name, text);
}

/** `To: A <a@x.test>, b@y.test` (RFC 5322 section 3.6.3). Non-ASCII local parts are written as UTF-8 (RFC 6532). */
export function mailboxesHeader(name: string, mailboxes: readonly Mailbox[]): string {
  const field = new FoldingField(name);
  mailboxes.forEach((mailbox, index) => {
    assertSafeHeader(name, mailbox.address);
    if (index > 0) field.append(',');
    for (const word of phrase(name, mailbox.name, field.room - 2)) field.add(word);
    field.add(mailbox.name ? `<${mailbox.address}>` : mailbox.address);
  });
  return field.toString();
}

function phrase(field: string, name: string | undefined, room: number): readonly string[] {
  if (!name) return [];
  assertSafeHeader(field, name);
  if (name.length > maxPlainNameLength || !printableAscii.test(name) || name.includes('=?')) {
    return encodedWords(name, room);
  }
  return [atoms.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`];
}

function isPlain(text: string): boolean {
  return printableAscii.test(text) && (text.length < maxTokenLength || !tooLongToken.test(text));
}

function encodedHeader(name: string, text: string): string {
  const field = new FoldingField(name);
  for (const word of encodedWords(text, field.room - 2)) field.add(word);
  return field.toString();
}
