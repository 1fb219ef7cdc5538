import type { RequestedAttachment } from '#emails';
import { decodeAttachments } from '#emails';
import { existingMoment, LargeText, ValidationError } from '#kernel';
import { NoCounterpartError } from './wire-emails.js';

/** The fields of an object of a request, as JSON has them. Null counts as absent. */
export class WireFields {
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    /** In front of the names of its fields, in messages. */
    private readonly path = '',
  ) {}

  static of(body: unknown, path = ''): WireFields {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ValidationError(`${path === '' ? 'The request body' : `\`${path}\``} must be a JSON object.`);
    }
    return new WireFields(body as Record<string, unknown>, path);
  }

  get names(): readonly string[] {
    return Object.keys(this.values);
  }

  any(name: string): unknown {
    return this.values[name] ?? undefined;
  }

  has(name: string): boolean {
    return this.any(name) !== undefined;
  }

  /** `""` counts as absent, except with `keepEmpty`. */
  text(name: string, { keepEmpty = false } = {}): string | undefined {
    const value = this.any(name);
    if (value === undefined || (value === '' && !keepEmpty)) return undefined;
    if (value instanceof LargeText) return value.toString();
    if (typeof value !== 'string') throw this.wrong(name, 'a string');
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.any(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.wrong(name, 'true or false');
  }

  whole(name: string): number | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value)) throw this.wrong(name, 'a whole number');
    return value;
  }

  /** Absent: undefined. */
  object(name: string): WireFields | undefined {
    const value = this.any(name);
    return value === undefined ? undefined : WireFields.of(value, this.pathOf(name));
  }

  list(name: string, max: number): readonly unknown[] {
    const value = this.any(name) ?? [];
    if (!Array.isArray(value)) throw this.wrong(name, 'an array');
    if (value.length > max) throw new ValidationError(`\`${this.pathOf(name)}\` may have at most ${max} items.`);
    return value;
  }

  objects(name: string, max: number): readonly WireFields[] {
    return this.list(name, max).map((item, at) => WireFields.of(item, `${this.pathOf(name)}[${at}]`));
  }

  texts(name: string, max: number): readonly string[] {
    return this.list(name, max).map((item) => {
      if (typeof item !== 'string') throw this.wrong(name, 'an array of strings');
      return item;
    });
  }

  /** An object whose values are strings, numbers or booleans. */
  textMap(name: string, max: number): Readonly<Record<string, string>> {
    const fields = this.object(name);
    if (fields === undefined) return {};
    if (fields.names.length > max) {
      throw new ValidationError(`\`${this.pathOf(name)}\` may have at most ${max} entries.`);
    }
    const entries = fields.names.flatMap((key) => {
      const value = fields.any(key);
      if (value === undefined) return [];
      if (typeof value === 'object') throw fields.wrong(key, 'a string');
      return [[key, (value as string | number | boolean).toString()] as const];
    });
    return Object.fromEntries(entries);
  }

  /** Throws for the first of the fields that the request has. */
  refuse(names: readonly string[], instead?: string): void {
    for (const name of names) {
      const value = this.any(name);
      const isEmpty =
        value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
      if (!isEmpty) throw new NoCounterpartError(`\`${this.pathOf(name)}\``, instead);
    }
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  private wrong(name: string, expected: string): ValidationError {
    return new ValidationError(`\`${this.pathOf(name)}\` must be ${expected}.`);
  }
}

/** Splits a list of addresses at its commas, except those in quotes, in comments and in angle brackets. */
export function splitAddresses(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\' && isQuoted) at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '<') isBracketed = true;
    else if (character === '>') isBracketed = false;
    else if (character === ',' && !isBracketed) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const plainTag = /^[A-Za-z0-9_-]{1,256}$/;
const encodedPrefix = 'b64_';
const maxTagBytes = 189;

/**
 * A text as a name or a value of our tags, which have letters, digits, `_` and `-` alone. Any other text is kept in
 * base64url, so that the wires give it back as it was.
 */
export function tagText(field: string, text: string, isReserved = false): string {
  if (plainTag.test(text) && !text.startsWith(encodedPrefix) && !isReserved) return text;
  if (text === '' || Buffer.byteLength(text) > maxTagBytes) {
    throw new ValidationError(`\`${field}\` must have between 1 and ${maxTagBytes} bytes.`);
  }
  return `${encodedPrefix}${Buffer.from(text).toString('base64url')}`;
}

export function textOfTag(stored: string): string {
  return stored.startsWith(encodedPrefix)
    ? Buffer.from(stored.slice(encodedPrefix.length), 'base64url').toString('utf8')
    : stored;
}

/** Our tags of the metadata of a client. Names in `own` are those that the wire itself uses. */
export function tagsOf(
  field: string,
  metadata: Readonly<Record<string, string>>,
  own: readonly string[],
): { name: string; value: string }[] {
  return Object.entries(metadata)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({
      name: tagText(field, name, own.includes(name)),
      value: tagText(`${field}.${name}`, value),
    }));
}

export type StoredTags = readonly { readonly name: string; readonly value: string }[] | null;

/** The metadata that `tagsOf` made tags of. */
export function metadataOf(tags: StoredTags, own: readonly string[]): Record<string, string> {
  const entries = (tags ?? []).filter(({ name }) => !own.includes(name));
  return Object.fromEntries(entries.map(({ name, value }) => [textOfTag(name), textOfTag(value)]));
}

export function tagValues(tags: StoredTags, name: string): string[] {
  return (tags ?? []).filter((tag) => tag.name === name).map(({ value }) => textOfTag(value));
}

/** An attachment in base64. */
export function attachmentOf(fields: {
  readonly filename: string | undefined;
  readonly content: unknown;
  readonly content_type: string | undefined;
  readonly content_id: string | undefined;
}): RequestedAttachment {
  const [attachment] = decodeAttachments([{ ...fields, content: fields.content ?? '' }]) ?? [];
  return attachment as RequestedAttachment;
}

const isoMoment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** A moment of a query. Without a zone it is UTC. */
export function momentOf(field: string, text: string): Date {
  const iso = text.replace(' ', 'T');
  const zoned = iso.includes('T') && !/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? `${iso}Z` : iso;
  const moment = isoMoment.test(text) ? existingMoment(zoned) : undefined;
  if (moment === undefined) throw new ValidationError(`\`${field}\` must be a time such as \`2026-11-30T08:00:00Z\`.`);
  return moment;
}

/** A parameter of a query. Empty counts as absent. Of several the last one counts: clients add theirs to links of pages. */
export function parameter(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const given = query[name];
  const value: unknown = Array.isArray(given) ? given.at(-1) : given;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > 2_000) throw new ValidationError(`\`${name}\` must be one text.`);
  return value;
}

export function wholeParameter(
  query: Readonly<Record<string, unknown>>,
  name: string,
  range: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  const text = parameter(query, name);
  if (text === undefined) return range.otherwise;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(number >= range.min && number <= range.max)) {
    throw new ValidationError(`\`${name}\` must be a number from ${range.min} to ${range.max}.`);
  }
  return number;
}

export function jsonObjectOf(name: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ValidationError(`\`${name}\` must be a JSON object.`);
}
