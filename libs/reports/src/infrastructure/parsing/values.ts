import { isIP } from 'node:net';
import { parseDomainName, plainAddress } from '#kernel';

const maxShown = 200;
/** Messages that one row of a report may count: more than any receiver gets in a day. */
const maxCount = 1_000_000_000_000;

/** Text of others, bounded and fit for the database and for people. */
export function shown(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .toWellFormed()
    .trim()
    .slice(0, maxShown);
}

/** A word of a fixed vocabulary, such as `pass`; other texts are not kept. */
export function word(text: string | undefined): string | undefined {
  const lower = text?.trim().toLowerCase();
  return lower !== undefined && /^[a-z][a-z0-9_-]{0,40}$/.test(lower) ? lower : undefined;
}

/** The selector of a DKIM key: labels of the DNS, which often are dates. */
export function selector(text: string | undefined): string | undefined {
  const lower = text?.trim().toLowerCase();
  return lower !== undefined && /^[a-z0-9_][a-z0-9._-]{0,99}$/.test(lower) ? lower : undefined;
}

export function domainName(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseDomainName(text.trim());
}

/** An IP address in the form that the database has. An IPv4 address in IPv6 form is the IPv4 address. */
export function ipAddress(text: string | undefined): string | undefined {
  const bare = text === undefined ? undefined : plainAddress(text.trim());
  return bare !== undefined && isIP(bare) !== 0 && !bare.includes('%') ? bare.toLowerCase() : undefined;
}

export function count(text: string | number | undefined): number | undefined {
  const value = typeof text === 'number' ? text : wholeNumber(text);
  return Number.isSafeInteger(value) && value !== undefined && value >= 0 && value <= maxCount ? value : undefined;
}

export function wholeNumber(text: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(text?.trim() ?? '') ? Number(text) : undefined;
}
