/** The addresses in a line as people write it: with commas or semicolons between them, and names before them. */
export function addressesIn(line: string): readonly string[] {
  const found: string[] = [];
  let piece = '';
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && /[,;\n]/.test(character)) {
      found.push(piece);
      piece = '';
    } else piece += character;
  }
  return [...found, piece].map((one) => one.trim()).filter((one) => one !== '');
}

/** `ada@harbour.test` of `Ada <ada@harbour.test>`. */
export function bareAddress(text: string): string {
  return (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim();
}

/** `Ada` of `Ada <ada@harbour.test>`, or the address where there is no name. */
export function nameIn(text: string): string {
  const name = text
    .replace(/<[^<>]*>\s*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll(/\\(.)/g, '$1');
  return name === '' ? bareAddress(text) : name;
}

/** Whether it is an address already, and not the beginning of one. */
export function isWholeAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(bareAddress(text));
}

export interface AnswerableEmail {
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly reply_to: readonly string[];
}

export interface AnswerRecipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** Who gets the answer to an email: its author, or those who got it if it is our own. `all` adds its other recipients. */
export function answerRecipients(email: AnswerableEmail, own: string, all: boolean): AnswerRecipients {
  const author = email.reply_to.length > 0 ? email.reply_to : [email.from];
  const to = email.direction === 'outbound' ? email.to : author;
  if (!all) return { to, cc: [] };
  const known = new Set([own, ...to.map(bareAddress)].map((address) => address.toLowerCase()));
  const cc = [...(email.direction === 'outbound' ? [] : email.to), ...email.cc].filter((one) => {
    const address = bareAddress(one).toLowerCase();
    if (known.has(address)) return false;
    known.add(address);
    return true;
  });
  return { to, cc };
}
