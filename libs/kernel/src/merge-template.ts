import { ValidationError } from './domain-error.js';
import { bytesOfEscapedHtml, escapedHtml } from './escaped-html.js';
import { bytesOfText } from './large-text.js';

/** A value of which more is known than its text. */
export interface MarkedValue {
  readonly value: string;
  /** The sender wrote it as HTML: in html it is inserted as it is. */
  readonly markup?: true;
  /** Nobody gave a value. A fallback in the tag takes precedence. */
  readonly fallback?: true;
}

/** A plain string is text that a person may have typed: in html it is escaped. */
export type MergeValue = string | MarkedValue;

/** Values of one reader, by name. Names are compared in lower case and without `contact.`. */
export type MergeValues = Readonly<Record<string, MergeValue>>;

/** `line`: a subject or a header field, in which control characters of values become spaces. */
export type MergeTarget = 'html' | 'text' | 'line';

/** A tag as it was written in the text. */
export interface MergeTag {
  /** In lower case and without `contact.`. */
  readonly name: string;
  /** The name as it was written. */
  readonly key: string;
  /** Undefined if the tag has no `|`. */
  readonly fallback: string | undefined;
  /** `{{NAME}}`: in html the value is always escaped, and without a value of that name the tag stays as it is. */
  readonly isCareful: boolean;
  readonly written: string;
}

/**
 * `{{{NAME}}}`, `{{{NAME|fallback}}}`, `{{{contact.name|fallback}}}`, and the same with two braces. All lengths are
 * bounded, so that parsing is linear for any text.
 */
const tagForm =
  /\{\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}\}|\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}/g;

const controls = /[\u0000-\u001f\u007f]+/g;

/**
 * Maximum number of tags of one text. Further ones stay as they are. Compiling a megabyte of tags takes 250 ms, these
 * take 15 ms. Texts with more are refused where they are written: see `checkTagCount`.
 */
export const maxMergeTags = 10_000;
/** One more, for the link to unsubscribe that a broadcast may get at its end. */
const maxReadTags = maxMergeTags + 1;

/** What the tags of one name add to the rendered text, in bytes or in tags. */
interface NameUsage {
  /** Bytes of all of them if there is no value of this name. */
  absentBytes: number;
  /** Bytes of the fallbacks in the tags that have one. */
  fallbackBytes: number;
  /** Tags in three braces: all, and those without a fallback. */
  plain: number;
  plainBare: number;
  /** Tags in two braces: all, and those without a fallback. */
  careful: number;
  carefulBare: number;
}

/**
 * A text with merge tags (docs/templates.md). A tag becomes the value of its name, else the fallback after `|`, else
 * the fallback that comes with the values, else nothing. Text that is not a valid tag stays unchanged, and values are
 * never searched for tags. A fallback after `|` is written by the sender and is never escaped.
 *
 * Compiling is linear in the length of the text, rendering in the length of the result, and computing its size in the
 * length of the values, however often they are used.
 */
export class MergeTemplate {
  /** The text before, between and after the tags: one more entry than there are tags. */
  private readonly literals: string[] = [];
  readonly tags: readonly MergeTag[];
  /** The text has more tags than `maxMergeTags`. */
  readonly hasTooManyTags: boolean;
  private readonly usages = new Map<string, NameUsage>();
  /** Bytes of the result if there are no values at all. */
  private readonly emptyBytes: number;

  /** @param only normalized names. If set, other tags stay unchanged. */
  constructor(
    text: string,
    private readonly target: MergeTarget,
    only?: ReadonlySet<string>,
  ) {
    const tags: MergeTag[] = [];
    let end = 0;
    let matches = 0;
    for (const match of text.matchAll(tagForm)) {
      if (++matches > maxReadTags) break;
      const tag = tagOf(match);
      if (only !== undefined && !only.has(tag.name)) continue;
      this.literals.push(text.slice(end, match.index));
      tags.push(tag);
      end = match.index + tag.written.length;
    }
    this.literals.push(text.slice(end));
    this.tags = tags;
    this.hasTooManyTags = matches > maxMergeTags;
    for (const tag of tags) this.count(tag);
    const literalBytes = this.literals.reduce((sum, literal) => sum + bytesOfText(literal), 0);
    this.emptyBytes = [...this.usages.values()].reduce((sum, { absentBytes }) => sum + absentBytes, literalBytes);
  }

  /**
   * @param values as `mergeValues` returns them
   * @param maxLength of the result, in characters. Rendering stops there.
   */
  render(values: MergeValues, maxLength = Infinity): string {
    let rendered = this.literals[0] as string;
    for (let i = 0; i < this.tags.length && rendered.length < maxLength; i++) {
      rendered += this.textOf(this.tags[i] as MergeTag, values, maxLength) + (this.literals[i + 1] as string);
    }
    return rendered.length > maxLength ? rendered.slice(0, maxLength) : rendered;
  }

  /** UTF-8 length of the result of `render`, computed without rendering: each value is read once. */
  renderedBytes(values: MergeValues): number {
    let bytes = this.emptyBytes;
    for (const [name, value] of Object.entries(values)) {
      const usage = this.usages.get(name);
      if (usage !== undefined) bytes += this.bytesOf(usage, marked(value)) - usage.absentBytes;
    }
    return bytes;
  }

  private count({ name, fallback, isCareful, written }: MergeTag): void {
    const usage = this.usages.get(name) ?? {
      absentBytes: 0,
      fallbackBytes: 0,
      plain: 0,
      plainBare: 0,
      careful: 0,
      carefulBare: 0,
    };
    this.usages.set(name, usage);
    const fallbackBytes = bytesOfText(fallback ?? '');
    const isBare = fallback === undefined ? 1 : 0;
    usage.absentBytes += isCareful ? bytesOfText(written) : fallbackBytes;
    usage.fallbackBytes += fallbackBytes;
    usage[isCareful ? 'careful' : 'plain']++;
    usage[isCareful ? 'carefulBare' : 'plainBare'] += isBare;
  }

  private bytesOf(usage: NameUsage, value: MarkedValue): number {
    const [plain, careful] = [this.insertedBytes(value, false), this.insertedBytes(value, true)];
    return givesWay(value)
      ? usage.fallbackBytes + usage.plainBare * plain + usage.carefulBare * careful
      : usage.plain * plain + usage.careful * careful;
  }

  private textOf({ name, fallback, isCareful, written }: MergeTag, values: MergeValues, maxLength: number): string {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    if (known === undefined) return isCareful ? written : (fallback ?? '');
    const value = marked(known);
    if (fallback !== undefined && givesWay(value)) return fallback;
    return this.inserted(value, isCareful, maxLength);
  }

  /** @param maxLength characters of the value beyond it are left out before it is escaped */
  private inserted({ value, markup }: MarkedValue, isCareful: boolean, maxLength: number): string {
    const cut = value.length > maxLength ? value.slice(0, maxLength) : value;
    switch (this.target) {
      case 'html':
        return markup === true && !isCareful ? cut : escapedHtml(cut);
      case 'text':
        return cut;
      case 'line':
        return cut.replace(controls, ' ');
    }
  }

  private insertedBytes(value: MarkedValue, isCareful: boolean): number {
    const isEscaped = this.target === 'html' && (value.markup !== true || isCareful);
    return isEscaped ? bytesOfEscapedHtml(value.value) : bytesOfText(this.inserted(value, isCareful, Infinity));
  }
}

function marked(value: MergeValue): MarkedValue {
  return typeof value === 'string' ? { value } : value;
}

/** Whether a fallback in the tag takes precedence. */
function givesWay({ value, fallback }: MarkedValue): boolean {
  return value === '' || fallback === true;
}

/** Throws ValidationError for a text with more than `maxMergeTags` tags. */
export function checkTagCount(field: string, text: string | null): void {
  if (text !== null && new MergeTemplate(text, 'text').hasTooManyTags) {
    throw new ValidationError(`The \`${field}\` field may have at most ${maxMergeTags} tags.`);
  }
}

/** Normalizes the names of values, so that templates find them. */
export function mergeValues(given: MergeValues): MergeValues {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [mergeName(name), value]));
}

/** The form in which names are compared. */
export function mergeName(name: string): string {
  const lower = name.toLowerCase();
  return lower.startsWith('contact.') ? lower.slice('contact.'.length) : lower;
}

function tagOf([written, plain, fallback, careful, carefulFallback]: RegExpMatchArray): MergeTag {
  const isCareful = plain === undefined;
  const key = plain ?? careful ?? '';
  return { name: mergeName(key), key, fallback: isCareful ? carefulFallback : fallback, isCareful, written };
}
