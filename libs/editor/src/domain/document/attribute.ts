import { LargeText, parsedCondition, parseRule, storableText, ValidationError, writtenCondition } from '#kernel';
import { safeLink, safeSource } from './safe-url.js';
import { safeStyle } from './safe-style.js';
import { maxRawHtmlLength, safeHtml } from './raw-html.js';

/** Hears what was left out of a document, in words for whoever wrote it. */
export type Notes = (note: string) => void;

/** One attribute of nodes of a type, or of marks. */
export interface Attribute {
  /** What it takes, for the description of documents. */
  readonly form: string;
  /** Other names under which documents of others have it. */
  readonly aliases?: readonly string[];
  /** Returns the value as it is stored; undefined if it is as usual. Throws `Refused` with what it must be. */
  read(value: unknown, notes: Notes): unknown;
}

export class Refused extends Error {}

function attribute(form: string, read: (value: unknown, notes: Notes) => unknown): Attribute {
  return { form, read };
}

export const maxText = 2_000;

export const text = (maxLength = maxText): Attribute =>
  attribute('text', (value) => {
    const given = typeof value === 'number' ? String(value) : stringOf(value);
    if (given === undefined) throw new Refused('must be a text');
    if (given.length > maxLength) throw new Refused(`may have at most ${maxLength} characters`);
    return given === '' ? undefined : storableText(given);
  });

export const oneOf = (...names: readonly string[]): Attribute =>
  attribute(names.map((name) => `"${name}"`).join(' | '), (value) => {
    const given = String(stringOf(value) ?? '').toLowerCase();
    if (!names.includes(given)) throw new Refused(`must be one of: ${names.join(', ')}`);
    return given;
  });

/** A number within limits; `12px` and `"12"` count as well, and a value beyond the limits becomes the limit. */
export const number = (least: number, most: number, decimals = 0): Attribute =>
  attribute(`number ${least} to ${most}`, (value) => {
    const given = typeof value === 'number' ? value : Number((stringOf(value) ?? '').trim().replace(/px$/i, '') || NaN);
    if (!Number.isFinite(given)) throw new Refused(`must be a number from ${least} to ${most}`);
    const factor = 10 ** decimals;
    return Math.round(Math.min(most, Math.max(least, given)) * factor) / factor;
  });

export const flag = (usual = false): Attribute =>
  attribute('true | false', (value) => {
    const given = value === 'true' || value === 1 ? true : value === 'false' || value === 0 ? false : value;
    if (typeof given !== 'boolean') throw new Refused('must be true or false');
    return given === usual ? undefined : given;
  });

const hex = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;
const rgb =
  /^rgba?\(\s{0,3}(\d{1,3})\s{0,3}[,\s]\s{0,3}(\d{1,3})\s{0,3}[,\s]\s{0,3}(\d{1,3})\s{0,3}(?:[,/]\s{0,3}[\d.]{1,6}%?\s{0,3})?\)$/i;
const names: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  orange: '#ffa500',
  purple: '#800080',
  gray: '#808080',
  grey: '#808080',
  navy: '#000080',
  teal: '#008080',
};

/** `#rrggbb` in lower case; undefined if the text is no color. */
export function colorOf(given: string): string | undefined {
  const value = given.trim().toLowerCase();
  if (hex.test(value))
    return value.length === 7 ? value : `#${[...value.slice(1)].map((sign) => sign + sign).join('')}`;
  const parts = rgb.exec(value)?.slice(1, 4).map(Number);
  if (parts?.every((part) => part < 256) === true)
    return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  return Object.hasOwn(names, value) ? names[value] : undefined;
}

export const color: Attribute = attribute('color "#rrggbb"', (value) => {
  const given = stringOf(value)?.trim() ?? '';
  if (given === '' || given === 'transparent' || given === 'inherit') return undefined;
  const known = colorOf(given);
  if (known === undefined) throw new Refused('must be a color such as #1a2b3c');
  return known;
});

export const link: Attribute = attribute(
  'link (https:, http:, mailto:, tel:, sms:, #place, or a merge tag)',
  (value) => {
    const known = safeLink(stringOf(value) ?? 'no:text');
    if (known === undefined) throw new Refused('must be a link that begins with https:, http:, mailto:, tel: or sms:');
    return known === '' ? undefined : known;
  },
);

export const source: Attribute = attribute('address of an image (https: or http:, or a merge tag)', (value) => {
  const known = safeSource(stringOf(value) ?? 'no:text');
  if (known === undefined) throw new Refused('must be the address of an image, which begins with https: or http:');
  return known === '' ? undefined : known;
});

/** `"50%"` or a number of pixels. */
export const width: Attribute = attribute('pixels as a number, or "50%"', (value) => {
  const given = typeof value === 'number' ? String(value) : (stringOf(value) ?? '').trim();
  if (given === '' || given === 'auto') return undefined;
  const [, digits, unit] = /^(\d{1,4}(?:\.\d{1,3})?)(px|%)?$/i.exec(given) ?? [];
  if (digits === undefined) throw new Refused('must be a number of pixels or a percentage');
  if (unit !== '%') return Math.max(1, Math.min(2_000, Math.round(Number(digits))));
  return `${Math.max(1, Math.min(100, Number(digits)))}%`;
});

export const style: Attribute = attribute('inline CSS; what could leave the block is left out', (value, notes) => {
  const given = stringOf(value);
  if (given === undefined) throw new Refused('must be a text');
  const safe = safeStyle(given);
  for (const property of safe.dropped) notes(`\`${property}\` in a style was left out.`);
  return safe.style === '' ? undefined : safe.style;
});

export const html: Attribute = attribute(
  'html; scripts, frames and styles are left out, and every element is closed',
  (value, notes) => {
    const given = stringOf(value);
    if (given === undefined) throw new Refused('must be a text');
    if (given.length > maxRawHtmlLength) throw new Refused(`may have at most ${maxRawHtmlLength} characters`);
    const safe = safeHtml(storableText(given));
    for (const what of safe.dropped.slice(0, 20)) notes(`\`${what}\` in html was left out.`);
    return safe.html === '' ? undefined : safe.html;
  },
);

export const moment: Attribute = attribute('time in ISO 8601', (value) => {
  const given = Date.parse(stringOf(value) ?? '');
  if (Number.isNaN(given) || given < 0 || given > 4e12)
    throw new Refused('must be a time such as 2027-01-31T09:00:00Z');
  return new Date(given).toISOString();
});

export const rule: Attribute = attribute(
  'rule: {"type":"rule","field":"contact.plan","operator":"eq","value":"pro"}, or {"type":"and"|"or","rules":[…]}',
  (value) => {
    try {
      const parsed = parseRule('The condition', value, ['']);
      if (parsedCondition(writtenCondition(parsed)) === undefined) throw new Refused('is no rule that a tag can have');
      return parsed;
    } catch (error) {
      if (error instanceof ValidationError) throw new Refused(`is no rule: ${error.message}`);
      throw error;
    }
  },
);

/** Values of no meaning for the email, kept as they are. */
export const anything: Attribute = attribute('an object', (value) => {
  if (typeof value !== 'object' || value === null) throw new Refused('must be an object');
  if (JSON.stringify(value).length > 20_000) throw new Refused('is too large');
  return value;
});

/** A list of objects with attributes of their own. */
export const listOf = (most: number, attributes: Readonly<Record<string, Attribute>>): Attribute =>
  attribute(
    `list of {${Object.entries(attributes)
      .map(([name, { form }]) => `"${name}": ${form}`)
      .join(', ')}}`,
    (value, notes) => {
      if (!Array.isArray(value) || value.length > most) throw new Refused(`must be a list of at most ${most} objects`);
      const items = value.map((item: unknown) => {
        if (typeof item !== 'object' || item === null) throw new Refused('must be a list of objects');
        return readAttributes(attributes, item as Readonly<Record<string, unknown>>, notes);
      });
      return items.length === 0 ? undefined : items;
    },
  );

/** The known attributes of `given` that are not as usual. Throws `Refused`, which names the attribute. */
export function readAttributes(
  attributes: Readonly<Record<string, Attribute>>,
  given: Readonly<Record<string, unknown>>,
  notes: Notes,
): Readonly<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(attributes)) {
    const known = [name, ...(each.aliases ?? [])].find((alias) => Object.hasOwn(given, alias) && given[alias] != null);
    if (known === undefined) continue;
    try {
      const value = each.read(given[known], notes);
      if (value !== undefined) read[name] = value;
    } catch (error) {
      if (error instanceof Refused) throw new Refused(`the \`${known}\` ${error.message}`);
      throw error;
    }
  }
  return read;
}

/** Long texts of large requests are `LargeText`. */
export function stringOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof LargeText ? value.toString() : undefined;
}
