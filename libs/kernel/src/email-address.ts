/** Labels of at most 63 characters (RFC 1035 section 2.3.4). The last one is letters only, or an A-label. */
const domainName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * Normalises a domain name to lower-case A-labels (RFC 5890). Returns undefined for any other text.
 *
 * A domain name has at least two labels. A single trailing dot is dropped. IP addresses and address literals are not domain
 * names.
 */
export function parseDomainName(text: string): string | undefined {
  if (text.length === 0 || text.length > 253) return undefined;
  const ascii = toAscii(text.endsWith('.') ? text.slice(0, -1) : text);
  if (ascii === undefined || ascii.length > 253) return undefined;
  return domainName.test(ascii) ? ascii : undefined;
}

function toAscii(text: string): string | undefined {
  if (/^[\x21-\x7e]+$/.test(text)) return text.toLowerCase();
  // The URL parser applies UTS 46. Characters with a meaning in a URL are refused before they reach it.
  if (/[\s/\\?#@:%[\]<>^|]/.test(text) || !/^[^\x00-\x20\x7f]+$/.test(text)) return undefined;
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return undefined;
  }
}

/** An addr-spec (RFC 5322 section 3.4.1) with a normalised domain. The local part keeps its case. */
export interface EmailAddress {
  readonly local: string;
  readonly domain: string;
  /** `local@domain`, ready for an envelope or a header. */
  readonly address: string;
}

/** An address with an optional display name. */
export interface Mailbox extends EmailAddress {
  readonly name?: string;
}

const dotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+)*$/i;
/** A quoted local part without `@`, `<` and `>`: some mail readers find the wrong address in `"ceo@bank.test"@own.test`. */
const quotedLocal =
  /^"(?:[\x20\x21\x23-\x3b\x3d\x3f\x41-\x5b\x5d-\x7e\u0080-\uffff]|\\[\x20-\x3b\x3d\x3f\x41-\x7e])*"$/;
// C0 and C1 controls, DEL, and the Unicode line separators: none may reach a header or an SMTP command.
const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const plainAscii = /^[\x20-\x7e]*$/;
/** Blanks and characters without a glyph. Nobody has them in an address, but copied text brings them along. */
const invisible =
  '\\u00a0\\u00ad\\u034f\\u061c\\u1680\\u180e\\u2000-\\u200f\\u202a-\\u202f\\u205f-\\u206f\\u3000\\ufeff';
const hasInvisible = new RegExp(`[${invisible}]`);
const invisibleStart = new RegExp(`^[${invisible}]+`);
const invisibleEnd = new RegExp(`(?<![${invisible}])[${invisible}]+$`);

/** Maximum length of a display name: with quotes and every character escaped, the mailbox must still be parsed. */
const maxNameLength = 320;

/** Maximum length of a mailbox text: the address has at most 254 characters (RFC 5321 4.5.3.1), the rest is the name. */
const maxMailboxLength = 1_000;

export function parseEmailAddress(text: string): EmailAddress | undefined {
  if (text.length > 320 || !isUsable(text)) return undefined;
  const shown = visible(text);
  const at = shown.lastIndexOf('@');
  if (at < 1) return undefined;
  const local = shown.slice(0, at);
  if (hasInvisible.test(local)) return undefined;
  if (local.length > 64 || !(dotAtom.test(local) || quotedLocal.test(local))) return undefined;
  const domain = parseDomainName(shown.slice(at + 1));
  if (domain === undefined || local.length + 1 + domain.length > 254) return undefined;
  return { local, domain, address: `${local}@${domain}` };
}

/** Reads `a@b.test`, `<a@b.test>`, `Name <a@b.test>` or `"Name, with comma" <a@b.test>`; undefined for anything else. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (text.length > maxMailboxLength || !isUsable(text)) return undefined;
  const trimmed = visible(text).trim();
  if (!trimmed.endsWith('>')) return parseEmailAddress(trimmed);

  const open = trimmed.lastIndexOf('<');
  if (open < 0) return undefined;
  const address = parseEmailAddress(trimmed.slice(open + 1, -1).trim());
  if (address === undefined) return undefined;
  const name = displayName(trimmed.slice(0, open).trim(), address);
  if (name === undefined || name.length > maxNameLength) return undefined;
  return name === '' ? address : { local: address.local, domain: address.domain, address: address.address, name };
}

/** Formats a mailbox as `Name <address>`. The name is quoted only if it must be (RFC 5322 section 3.2.3). */
export function formatMailbox(mailbox: Mailbox): string {
  if (mailbox.name === undefined) return mailbox.address;
  const name = /["(),.:;<>@[\]\\]/.test(mailbox.name) ? quote(mailbox.name) : mailbox.name;
  return `${name} <${mailbox.address}>`;
}

/** The domain of a valid address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** The text without invisible characters around it. */
function visible(text: string): string {
  return hasInvisible.test(text) ? text.replace(invisibleStart, '').replace(invisibleEnd, '') : text;
}

/** Whether the text has no control characters and no lone surrogates. */
function isUsable(text: string): boolean {
  return plainAscii.test(text) || (text.isWellFormed() && !forbidden.test(text));
}

function displayName(raw: string, { address }: EmailAddress): string | undefined {
  if (raw.length >= 2 && raw.startsWith('"') && raw.endsWith('"')) {
    const inner = raw.slice(1, -1);
    if (/(?:^|[^\\])(?:\\\\)*"/.test(inner) || /(?:^|[^\\])(?:\\\\)*\\$/.test(inner)) return undefined;
    return inner.replace(/\\(.)/g, '$1').trim();
  }
  // People write `Acme, Inc. <a@b.test>` without quotes. Only a name that looks like a second address is refused.
  if (/[<>]/.test(raw)) return undefined;
  return /[^\s@]@[^\s@]/.test(raw) && raw.toLowerCase() !== address.toLowerCase() ? undefined : raw;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The text of a search with its domain as addresses are stored: `@bücher.test` becomes `@xn--bcher-kva.test`. */
export function searchedAddress(text: string): string {
  const at = text.lastIndexOf('@');
  const domain = at < 0 ? undefined : parseDomainName(text.slice(at + 1));
  return domain === undefined ? text : `${text.slice(0, at + 1)}${domain}`;
}
