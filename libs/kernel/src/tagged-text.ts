import { bytesOfEscapedHtml, escapedHtml } from './text.js';
import { bytesOfText } from './large-text.js';
import { givesWay, MarkedValue, marked, mergeName, MergeValues } from './merge-values.js';

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

/** A text that was compiled for values: one with sections, or one without. */
export interface CompiledText {
  readonly tags: readonly MergeTag[];
  render(values: MergeValues, maxLength: number): string;
  /** UTF-8 length of the result of `render`. */
  renderedBytes(values: MergeValues): number;
}

/** How many tags the texts of one template may still have. */
export interface TagBudget {
  left: number;
}

/**
 * `{{{NAME}}}`, `{{{NAME|fallback}}}`, `{{{contact.name|fallback}}}`, and the same with two braces. All lengths are
 * bounded, so that parsing is linear for any text.
 */
const tagForm =
  /\{\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}\}|\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}/g;

const controls = /[\u0000-\u001f\u007f]+/g;

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

/** A text without sections: tags, and the text around them. */
export class TaggedText implements CompiledText {
  /** The text before, between and after the tags: one more entry than there are tags. */
  private readonly literals: string[] = [];
  readonly tags: readonly MergeTag[];
  private readonly usages = new Map<string, NameUsage>();
  /** Bytes of the result if there are no values at all. */
  private readonly emptyBytes: number;

  /** @param only normalized names. If set, other tags stay unchanged. */
  constructor(
    text: string,
    private readonly target: MergeTarget,
    budget: TagBudget,
    only?: ReadonlySet<string>,
  ) {
    const tags: MergeTag[] = [];
    let end = 0;
    for (const match of text.matchAll(tagForm)) {
      if (--budget.left < 0) break;
      const tag = tagOf(match);
      if (only !== undefined && !only.has(tag.name)) continue;
      this.literals.push(text.slice(end, match.index));
      tags.push(tag);
      end = match.index + tag.written.length;
    }
    this.literals.push(text.slice(end));
    this.tags = tags;
    for (const tag of tags) this.count(tag);
    const literalBytes = this.literals.reduce((sum, literal) => sum + bytesOfText(literal), 0);
    this.emptyBytes = [...this.usages.values()].reduce((sum, { absentBytes }) => sum + absentBytes, literalBytes);
  }

  render(values: MergeValues, maxLength: number): string {
    let rendered = this.literals[0] as string;
    for (let i = 0; i < this.tags.length && rendered.length < maxLength; i++) {
      rendered += this.textOf(this.tags[i] as MergeTag, values, maxLength) + (this.literals[i + 1] as string);
    }
    return rendered.length > maxLength ? rendered.slice(0, maxLength) : rendered;
  }

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

function tagOf([written, plain, fallback, careful, carefulFallback]: RegExpMatchArray): MergeTag {
  const isCareful = plain === undefined;
  const key = plain ?? careful ?? '';
  return { name: mergeName(key), key, fallback: isCareful ? carefulFallback : fallback, isCareful, written };
}
