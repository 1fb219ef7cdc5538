import { domainToUnicode } from 'node:url';

/**
 * The spellings of one address: lower and upper case, an international domain in Unicode or as A-labels (RFC 5890),
 * percent-encoded in a path, escaped in JSON.
 *
 * The patterns are regular expressions for both PostgreSQL and JavaScript. They list each spelling of each character,
 * because `lower()` of PostgreSQL depends on the locale of the database: it knows no capital letter beyond ASCII in the
 * locale `C`, and disagrees with JavaScript about `İ` and the final sigma in others.
 */
export interface AddressSpellings {
  /** What a column of lower-case addresses may hold. */
  readonly stored: readonly string[];
  /** Matches a text that is the address, with a display name or without: `ada@x.test`, `Ada <ada@x.test>`. */
  readonly mailbox: string;
  /** Matches JSON in which such a text stands as a value. */
  readonly value: string;
  /**
   * Matches a text in which the address stands, whole: not `maria@x.test` for `a@x.test`. The first group is what
   * stands before it.
   */
  readonly within: string;
}

export function addressSpellings(address: string): AddressSpellings {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  const core = `${patternOfText(lower.slice(0, at))}(?:@|%40)${patternOfDomain(lower.slice(at + 1))}`;
  const mailbox = `(?:[^<>]*<)?${core}>?`;
  return {
    stored: [...new Set([lower, lower.toUpperCase().toLowerCase(), lower.replaceAll('ς', 'σ')])].filter(
      (text) => simplified(text) === simplified(lower),
    ),
    mailbox: `^${mailbox}$`,
    value: `"${mailbox}"`,
    within: `${before}${core}${behind}`,
  };
}

/** Punctuation beyond ASCII, such as quotation marks. All other characters there count as letters. */
const foreignPunctuation =
  '\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u3004\u3008-\u3020\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65';
/**
 * Characters that no address has without quotes, and those that set an address apart in a URL or a setting:
 * `to=ada@x.test`.
 */
const apart = `\\u0001-\\u0020"(),:;<>@\\[\\]\\\\=/?&|\\u007f${foreignPunctuation}`;
/** The same in a percent-encoded path, and the escapes of JSON. */
const encodedApart = '%(?:0[9aAdD]|2[0268cCfF]|3[a-dA-DfF])|\\\\[nrtbf]';
/**
 * Marks around an address that an address may have itself: they are part of it only behind a letter, as in
 * `o'neil@x.test`.
 */
const marks = "[!#$&'*^`{}~]*";
const before = `((?:^|[${apart}]|${encodedApart})${marks})`;
/** A sentence may end behind the address. */
const behind = `(?=[.-]*(?:$|[^a-zA-Z0-9._\\u0080-\\ud7ff\\ue000-\\uffff-]|[${foreignPunctuation}]))`;

function patternOfDomain(domain: string): string {
  const labels = domain.split('.');
  const unicode = domainToUnicode(domain).split('.');
  return labels
    .map((label, no) => {
      const typed = unicode[no] ?? label;
      const spellings = [...new Set([label, typed, typed.normalize('NFD')])].map(patternOfText);
      return spellings.length === 1 ? spellings[0] : `(?:${spellings.join('|')})`;
    })
    .join('[.\u3002\uff0e\uff61]');
}

/** `i̇` is the lower case of `İ`, in two characters. */
function patternOfText(lower: string): string {
  return (lower.match(/i\u0307|./gsu) ?? []).map((one) => alternatives(spellingsOf(one))).join('');
}

function alternatives(spellings: readonly string[]): string {
  return spellings.length === 1 ? (spellings[0] as string) : `(?:${spellings.join('|')})`;
}

function spellingsOf(character: string): readonly string[] {
  if (character === '"') return ['\\\\?"', '%22'];
  if (character === '\\') return ['\\\\\\\\?', '%5[cC]'];
  if (/^[a-z0-9]$/.test(character)) return [character, ...capitalsOf(character)];
  const all = [character, ...(character === 'σ' ? ['ς'] : character === 'ς' ? ['σ'] : []), ...capitalsOf(character)];
  return all.flatMap((one) => [one.replace(/[^\p{L}\p{N}\p{M}]/gu, '\\$&'), percentEncoded(one)]);
}

function percentEncoded(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `%${hex(byte >> 4)}${hex(byte & 15)}`).join('');
}

function hex(digit: number): string {
  const text = digit.toString(16);
  return digit < 10 ? text : `[${text}${text.toUpperCase()}]`;
}

const lastWithCase = 0x1e943;
let capitals: ReadonlyMap<string, readonly string[]> | undefined;

/** The other characters with the same lower case, the Kelvin sign among them. Undefined is no character. */
function capitalsOf(lower: string): readonly string[] {
  capitals ??= findCapitals();
  return capitals.get(simplified(lower)) ?? [];
}

function findCapitals(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (let code = 0x41; code <= lastWithCase; code++) {
    const character = String.fromCodePoint(code);
    const lower = character.toLowerCase();
    if (lower === character) continue;
    const known = found.get(simplified(lower));
    if (known === undefined) found.set(simplified(lower), [character]);
    else known.push(character);
  }
  return found;
}

function simplified(lower: string): string {
  return lower.replaceAll('ς', 'σ');
}
