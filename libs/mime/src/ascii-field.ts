import { isAscii, isUtf8 } from 'node:buffer';
import { parseEmailAddress } from '#kernel';
import { decodeEncodedWords } from './reading/decode-words.js';
import { fieldNameOf, type HeaderField } from './dkim-header.js';
import { encodedWords } from './encoded-words.js';
import { textHeader } from './header-encoding.js';
import { foldAsciiValue, FoldingField, isSafeHeader, maxLineLength, maxTokenLength } from './header-field.js';
import { type MailboxToken, mailboxTokens, unquoted } from './mailbox-tokens.js';

/** A longer field is not encoded. */
const maxFieldBytes = 8 * 1024;

const addressFields = new Set('from sender reply-to to cc resent-from resent-sender resent-to resent-cc'.split(' '));
/** Fields in which encoded words are not allowed, or which no reader decodes (RFC 2047 section 5). */
const structured =
  /^(?:content-|list-|arc-|dkim-|received|return-path$|mime-version$|authentication-results$|(?:resent-)?(?:date|message-id)$|in-reply-to$|references$)/;

/** The unfolded value of a field, read as UTF-8 if it is valid UTF-8 (RFC 6532), otherwise as Latin-1. */
export function fieldValue({ raw }: Pick<HeaderField, 'raw'>): string {
  const text = raw.slice(raw.indexOf(':') + 1).replaceAll('\r\n', '');
  const bytes = Buffer.from(text, 'latin1');
  return (isUtf8(bytes) ? bytes.toString('utf8') : text).trim();
}

const folded = (name: string, value: string): Buffer => Buffer.from(foldAsciiValue(name, value), 'latin1');

/**
 * Replaces non-ASCII text in a field by encoded words (RFC 2047), so that most servers without SMTPUTF8 accept it, and
 * folds lines that are longer than RFC 5322 allows. Non-ASCII local parts are kept. A field that cannot be changed with certainty is returned unchanged.
 *
 * `field` ends with its CRLF. Where nothing changes, the result is the given buffer.
 */
export function asciiField(field: Buffer): Buffer {
  const isPlain = isAscii(field);
  const raw = field.length > maxLineLength || !isPlain ? field.toString('latin1') : '';
  if (isPlain ? !raw.split('\r\n').some(({ length }) => length > maxLineLength) : field.length > maxFieldBytes)
    return field;
  const colon = raw.indexOf(':');
  const value = fieldValue({ raw });
  if (colon < 1 || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) return field;
  const lowerName = fieldNameOf(raw, colon);
  const name = raw.slice(0, lowerName.length);
  if (!isSafeHeader(name, value)) return field;
  if (addressFields.has(lowerName))
    return asciiAddresses(name, mailboxTokens(value)) ?? (isPlain ? folded(name, value) : field);
  // Only a subject is decoded by every reader; other fields keep their text and a token that is too long.
  if (isPlain && lowerName !== 'subject') return folded(name, value);
  return structured.test(lowerName) ? field : Buffer.from(textHeader(name, decodeEncodedWords(value)), 'latin1');
}

function asciiAddresses(name: string, tokens: readonly MailboxToken[]): Buffer | undefined {
  const field = new FoldingField(name);
  let words: string[] = [];
  const endPhrase = (): void => {
    for (const word of phrase(words, field.room - 2)) field.add(word);
    words = [];
  };
  for (const token of tokens) {
    if (token.kind === 'odd' || token.text.length >= maxTokenLength) return undefined;
    if (token.kind === 'word' && !token.hasBareAt) {
      words.push(token.text);
      continue;
    }
    endPhrase();
    if (token.kind === 'separator') field.append(token.text);
    else if (token.kind === 'comment') field.add(`(${phrase([token.text], field.room - 2).join(' ')})`);
    else field.add(token.kind === 'angle' ? `<${asciiAddress(token.text)}>` : asciiAddress(token.text));
  }
  endPhrase();
  return Buffer.from(field.toString(), 'utf8');
}

/** Encodes the words of one phrase together, because readers do not show white space between two encoded words. */
function phrase(words: readonly string[], room: number): readonly string[] {
  if (words.every((word) => isAscii(Buffer.from(word)))) return words;
  return encodedWords(decodeEncodedWords(words.map(unquoted).join(' ')), room);
}

/** The address with its domain in A-labels. */
function asciiAddress(text: string): string {
  return parseEmailAddress(text)?.address ?? text;
}
