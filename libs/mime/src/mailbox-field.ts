import { type EmailAddress, type Mailbox, parseEmailAddress } from '#kernel';
import { decodeEncodedWords } from './reading/decode-words.js';
import { type MailboxToken, mailboxTokens, unquoted } from './mailbox-tokens.js';

/** Maximum length of a From field: an encoded name of 320 characters and an address of 254 characters fit. */
const maxMailboxCharacters = 4_096;
/** Maximum length of all fields with one name together: some hundred recipients. */
const maxListCharacters = 32 * 1024;
const maxMailboxes = 1_000;
const maxNameCharacters = 320;

/** Control characters, and characters that some readers treat as the end of a line. */
const unreadable = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/;
/** A comment with one of these may be read as an address by some readers. */
const suspiciousInComment = /[@<>"]/;

/**
 * The mailbox of a From field, where every reader must find the same one: one address, alone or in angle brackets after
 * a name, and comments that cannot be read as an address. Undefined for a list, a group, a route, an unquoted name that
 * contains another address, and any other ambiguous value.
 *
 * Accepts names with dots or brackets without quotes, which RFC 5322 calls obsolete and ordinary clients write. Encoded
 * words are always text, even if they decode to an address. `value` is unfolded. Takes linear time.
 */
export function readMailbox(value: string): Mailbox | undefined {
  if (value.length > maxMailboxCharacters || unreadable.test(value) || !value.isWellFormed()) return undefined;
  const tokens = mailboxTokens(value);
  if (tokens.some((token) => token.kind === 'comment' && suspiciousInComment.test(token.text))) return undefined;
  const parts = tokens.filter(({ kind }) => kind !== 'comment');
  if (!parts.every(({ kind }) => kind === 'word' || kind === 'angle')) return undefined;

  const last = parts.at(-1);
  const address = last === undefined ? undefined : parseEmailAddress(last.text);
  if (last === undefined || address === undefined) return undefined;
  const name = parts.slice(0, -1);
  if (last.kind === 'word') return name.length > 0 ? undefined : named(address, commentIn(tokens));
  if (name.some(({ kind }) => kind === 'angle')) return undefined;
  const text = shownName(name);
  const holdsAddress = name.some((token) => token.kind === 'word' && token.hasBareAt);
  return holdsAddress && !isSame(text, address) ? undefined : named(address, text);
}

/** All mailboxes of To, Cc or Reply-To fields, including those of groups. Mailboxes that cannot be read are left out. */
export function readMailboxes(values: readonly string[]): Mailbox[] {
  const found: Mailbox[] = [];
  let left = maxListCharacters;
  for (const value of values) {
    const tokens = mailboxTokens(value.slice(0, left));
    left -= Math.min(left, value.length);
    let start = 0;
    for (let at = 0; at <= tokens.length && found.length < maxMailboxes; at++) {
      const token = tokens[at];
      if (token !== undefined && token.kind !== 'separator') continue;
      // A colon separates the name of a group from its members.
      const mailbox = token?.text === ':' ? undefined : guessed(tokens.slice(start, at));
      if (mailbox !== undefined) found.push(mailbox);
      start = at + 1;
    }
  }
  return found;
}

function guessed(tokens: readonly MailboxToken[]): Mailbox | undefined {
  const place = tokens.findLastIndex(({ kind }) => kind === 'angle');
  if (place >= 0) {
    const { text } = tokens[place] as MailboxToken;
    // A route in front of the address means nothing any more (RFC 5321 appendix C).
    const address = parseEmailAddress(text.startsWith('@') ? text.slice(text.indexOf(':') + 1).trim() : text);
    return address === undefined ? undefined : named(address, shownName(tokens.slice(0, place)));
  }
  const bare = tokens.find((token) => token.kind === 'word' && token.hasBareAt);
  const address = parseEmailAddress(bare?.text ?? '');
  return address === undefined ? undefined : named(address, commentIn(tokens));
}

function shownName(tokens: readonly MailboxToken[]): string {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ text }) => unquoted(text));
  return shown(words.join(' '));
}

function commentIn(tokens: readonly MailboxToken[]): string {
  return shown(tokens.find(({ kind }) => kind === 'comment')?.text ?? '');
}

/** Decodes encoded words, puts the text on one line and cuts it to `maxNameCharacters`. */
function shown(text: string): string {
  return decodeEncodedWords(text.slice(0, maxMailboxCharacters))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, maxNameCharacters)
    .toWellFormed();
}

function named(address: EmailAddress, name: string): Mailbox {
  return name === '' ? address : { ...address, name };
}

function isSame(text: string, { address }: EmailAddress): boolean {
  return text.toLowerCase() === address.toLowerCase();
}
