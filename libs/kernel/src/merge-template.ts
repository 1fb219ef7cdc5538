import { escapedHtml } from './escaped-html.js';
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
  /** Undefined where the tag has no `|`. */
  readonly fallback: string | undefined;
  /** `{{NAME}}`: in html the value is always escaped, and without a value of that name the tag stays as it is. */
  readonly isCareful: boolean;
  readonly written: string;
}

/**
 * `{{{NAME}}}`, `{{{NAME|fallback}}}`, `{{{contact.name|fallback}}}`, and the same with two braces. All lengths are bounded, so that
 * parsing is linear for any text.
 */
const tagForm =
  /\{\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}\}|\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}/g;

const controls = /[\u0000-\u001f\u007f]+/g;

/**
 * A text with merge tags (docs/templates.md). A tag becomes the value of its name, else the fallback after `|`, else the
 * fallback that comes with the values, else nothing. Text that is not a valid tag stays unchanged, and values are never
 * searched for tags. A fallback after `|` is written by the sender and is never escaped.
 *
 * Compiling is linear in the length of the text, rendering in the length of the result.
 */
export class MergeTemplate {
  /** The text before, between and after the tags: one more entry than there are tags. */
  private readonly literals: string[] = [];
  readonly tags: readonly MergeTag[];
  private readonly literalBytes: number;

  /** @param only normalized names. If set, other tags stay unchanged. */
  constructor(
    text: string,
    private readonly target: MergeTarget,
    only?: ReadonlySet<string>,
  ) {
    const tags: MergeTag[] = [];
    let end = 0;
    for (const match of text.matchAll(tagForm)) {
      const tag = tagOf(match);
      if (only !== undefined && !only.has(tag.name)) continue;
      this.literals.push(text.slice(end, match.index));
      tags.push(tag);
      end = match.index + tag.written.length;
    }
    this.literals.push(text.slice(end));
    this.tags = tags;
    this.literalBytes = this.literals.reduce((sum, literal) => sum + bytesOfText(literal), 0);
  }

  /** @param values as `mergeValues` returns them */
  render(values: MergeValues): string {
    let rendered = this.literals[0] as string;
    for (let i = 0; i < this.tags.length; i++) {
      rendered += this.textOf(this.tags[i] as MergeTag, values) + (this.literals[i + 1] as string);
    }
    return rendered;
  }

  /** UTF-8 length of the result of `render`, computed without rendering. */
  renderedBytes(values: MergeValues): number {
    return this.tags.reduce((sum, tag) => sum + bytesOfText(this.textOf(tag, values)), this.literalBytes);
  }

  private textOf({ name, fallback, isCareful, written }: MergeTag, values: MergeValues): string {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    if (known === undefined) return isCareful ? written : (fallback ?? '');
    const marked = typeof known === 'string' ? { value: known } : known;
    if (fallback !== undefined && (marked.value === '' || marked.fallback === true)) return fallback;
    return this.inserted(marked, isCareful);
  }

  private inserted({ value, markup }: MarkedValue, isCareful: boolean): string {
    switch (this.target) {
      case 'html':
        return markup === true && !isCareful ? value : escapedHtml(value);
      case 'text':
        return value;
      case 'line':
        return value.replace(controls, ' ');
    }
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
