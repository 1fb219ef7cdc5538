/** A token of an address field (RFC 5322 section 3.4). Nested comments are not supported: they are `odd`. */
export type MailboxToken =
  /** Atoms, dots and quoted strings without white space between them: a word of a name, or an address. */
  | { readonly kind: 'word'; readonly text: string; readonly hasBareAt: boolean }
  /** The text between `<` and `>`. */
  | { readonly kind: 'angle'; readonly text: string }
  /** The text between parentheses. */
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'separator'; readonly text: ',' | ';' | ':' }
  /** Ambiguous text: a stray `>`, a quote without an end, a backslash. */
  | { readonly kind: 'odd'; readonly text: string };

const wordEnds = new Set(' \t<>()",;:\\');

/** Splits an unfolded field value into tokens. Reads each character once. */
export function mailboxTokens(value: string): MailboxToken[] {
  const tokens: MailboxToken[] = [];
  for (let at = 0; at < value.length;) {
    const character = value.charAt(at);
    if (character === ' ' || character === '\t') {
      at++;
      continue;
    }
    const [token, end] = tokenAt(value, at, character);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

/** The text of a word without its quotes, and without the backslashes inside them. */
export function unquoted(word: string): string {
  if (!word.includes('"')) return word;
  let text = '';
  let isQuoted = false;
  for (let at = 0; at < word.length; at++) {
    const character = word.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else text += character === '\\' && isQuoted ? word.charAt(++at) : character;
  }
  return text;
}

function tokenAt(value: string, at: number, character: string): [token: MailboxToken, end: number] {
  switch (character) {
    case ',':
    case ';':
    case ':':
      return [{ kind: 'separator', text: character }, at + 1];
    case '<':
      return enclosed(value, at, '>', 'angle');
    case '(':
      return enclosed(value, at, ')', 'comment');
    case '>':
    case ')':
    case '\\':
      return [{ kind: 'odd', text: character }, at + 1];
    default:
      return wordAt(value, at);
  }
}

/** Reads a token up to `close`. Quotes have a meaning in angle brackets (for a local part), but not in a comment. */
function enclosed(value: string, start: number, close: string, kind: 'angle' | 'comment'): [MailboxToken, number] {
  for (let at = start + 1; at < value.length; at++) {
    const character = value.charAt(at);
    if (character === close) return [{ kind, text: value.slice(start + 1, at).trim() }, at + 1];
    if (character === '"' && kind === 'angle') {
      const end = endOfQuoted(value, at);
      if (end === undefined) break;
      at = end - 1;
    } else if (character === '<' || character === '(' || character === '\\') return odd(value, start, at);
  }
  return odd(value, start, value.length);
}

function wordAt(value: string, start: number): [MailboxToken, number] {
  let hasBareAt = false;
  let at = start;
  while (at < value.length) {
    const character = value.charAt(at);
    if (character === '"') {
      const end = endOfQuoted(value, at);
      if (end === undefined) return odd(value, start, value.length);
      at = end;
      continue;
    }
    if (wordEnds.has(character)) break;
    if (character === '@') hasBareAt = true;
    at++;
  }
  return [{ kind: 'word', text: value.slice(start, at), hasBareAt }, at];
}

/** Position after the closing quote. Undefined if there is none. */
function endOfQuoted(value: string, start: number): number | undefined {
  for (let at = start + 1; at < value.length; at++) {
    if (value.charAt(at) === '\\') at++;
    else if (value.charAt(at) === '"') return at + 1;
  }
  return undefined;
}

function odd(value: string, start: number, end: number): [MailboxToken, number] {
  return [{ kind: 'odd', text: value.slice(start, end) }, end];
}
