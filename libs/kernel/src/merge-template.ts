import { ValidationError } from './domain-error.js';
import { bytesOfEscapedHtml, escapedHtml } from './escaped-html.js';
import { bytesOfText } from './large-text.js';
import { leavesOf, sectionsOf, TextSection } from './merge-sections.js';
import { holds, LeafRule, Rule } from './rule.js';

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
/** Items of a list that are shown. */
export const maxMergeItems = 100;

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

/** A part of a text with sections. */
type Part =
  | { readonly kind: 'text'; readonly text: MergeTemplate }
  | { readonly kind: 'if'; readonly rule: Rule; readonly then: MergeTemplate; readonly otherwise: MergeTemplate }
  | { readonly kind: 'each'; readonly name: string; readonly body: MergeTemplate };

/** How many tags the texts of one template may still have. */
interface TagBudget {
  left: number;
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
  /** Undefined for a text without sections. */
  private readonly parts: readonly Part[] | undefined;

  /**
   * @param only normalized names. If set, other tags and sections stay unchanged.
   * @param part of a text whose sections have been read
   */
  constructor(
    text: string,
    private readonly target: MergeTarget,
    only?: ReadonlySet<string>,
    part?: { readonly budget: TagBudget; readonly sections?: readonly TextSection[] },
  ) {
    const budget = part?.budget ?? { left: maxReadTags };
    const sections = part === undefined && only === undefined ? sectionsOf(text) : part?.sections;
    if (sections !== undefined) {
      this.parts = sections.map((section) => partOf(section, target, budget));
      this.tags = this.parts.flatMap(tagsOfPart);
      this.hasTooManyTags = budget.left < 1;
      this.emptyBytes = 0;
      return;
    }
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
    this.hasTooManyTags = budget.left < 1;
    for (const tag of tags) this.count(tag);
    const literalBytes = this.literals.reduce((sum, literal) => sum + bytesOfText(literal), 0);
    this.emptyBytes = [...this.usages.values()].reduce((sum, { absentBytes }) => sum + absentBytes, literalBytes);
  }

  /**
   * @param values as `mergeValues` returns them
   * @param maxLength of the result, in characters. Rendering stops there.
   */
  render(values: MergeValues, maxLength = Infinity): string {
    if (this.parts !== undefined) return renderedParts(this.parts, values, maxLength);
    let rendered = this.literals[0] as string;
    for (let i = 0; i < this.tags.length && rendered.length < maxLength; i++) {
      rendered += this.textOf(this.tags[i] as MergeTag, values, maxLength) + (this.literals[i + 1] as string);
    }
    return rendered.length > maxLength ? rendered.slice(0, maxLength) : rendered;
  }

  /** UTF-8 length of the result of `render`, computed without rendering: each value is read once. */
  renderedBytes(values: MergeValues): number {
    if (this.parts !== undefined) return this.parts.reduce((sum, part) => sum + bytesOfPart(part, values), 0);
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

function partOf(section: TextSection, target: MergeTarget, budget: TagBudget): Part {
  const inner = (sections: readonly TextSection[]): MergeTemplate =>
    new MergeTemplate('', target, undefined, { budget, sections });
  switch (section.kind) {
    case 'text':
      return { kind: 'text', text: new MergeTemplate(section.text, target, undefined, { budget }) };
    case 'if':
      return { ...section, then: inner(section.then), otherwise: inner(section.otherwise) };
    case 'each':
      return { ...section, body: inner(section.body) };
  }
}

/**
 * The tags of a part, as those who check tags see them. A condition needs no value, so its fields count as tags with a fallback. Tags
 * of the items of a list belong to the list.
 */
function tagsOfPart(part: Part): readonly MergeTag[] {
  switch (part.kind) {
    case 'text':
      return part.text.tags;
    case 'if': {
      const fields = leavesOf(part.rule).map(({ field }): MergeTag => ({ ...listTag(field), fallback: '' }));
      return [...fields.filter(({ name }) => !isOfItem(name)), ...part.then.tags, ...part.otherwise.tags];
    }
    case 'each':
      return [listTag(part.name), ...part.body.tags.filter(({ name }) => !isOfItem(name))];
  }
}

function listTag(key: string): MergeTag {
  return { name: mergeName(key), key, fallback: undefined, isCareful: false, written: '' };
}

function isOfItem(name: string): boolean {
  return name === 'this' || name.startsWith('this.');
}

function renderedParts(parts: readonly Part[], values: MergeValues, maxLength: number): string {
  let rendered = '';
  for (const part of parts) {
    if (rendered.length >= maxLength) break;
    for (const [template, own] of shownOf(part, values)) rendered += template.render(own, maxLength);
  }
  return rendered.length > maxLength ? rendered.slice(0, maxLength) : rendered;
}

function bytesOfPart(part: Part, values: MergeValues): number {
  return shownOf(part, values).reduce((sum, [template, own]) => sum + template.renderedBytes(own), 0);
}

/** The texts that a part shows, each with the values for it. */
function shownOf(part: Part, values: MergeValues): readonly (readonly [MergeTemplate, MergeValues])[] {
  switch (part.kind) {
    case 'text':
      return [[part.text, values]];
    case 'if':
      return [[holds(part.rule, (field, leaf) => fieldOf(field, leaf, values)) ? part.then : part.otherwise, values]];
    case 'each':
      return itemsOf(part.name, values).map((item) => [part.body, { ...values, ...item }]);
  }
}

/** Values are stored as text, so that one is read as what it is compared with. A fallback is no value of the reader. */
function fieldOf(field: string, { operator, value: wanted }: LeafRule, values: MergeValues): unknown {
  const name = mergeName(field);
  const known = Object.hasOwn(values, name) ? values[name] : undefined;
  if (known === undefined) return undefined;
  const { value, fallback } = marked(known);
  if (value === '' || fallback === true || (operator === 'is_empty' && value === '[]')) return undefined;
  if (typeof wanted === 'number') return Number.isFinite(Number(value)) ? Number(value) : value;
  return typeof wanted === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

/** The items of a list, which is a value in JSON: the values `this` and, of objects, `this.name`. */
function itemsOf(name: string, values: MergeValues): readonly MergeValues[] {
  const key = mergeName(name);
  const known = Object.hasOwn(values, key) ? values[key] : undefined;
  if (known === undefined) return [];
  const { value, markup } = marked(known);
  const items = listOf(value).slice(0, maxMergeItems);
  return items.map((item) => {
    const fields =
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.entries(item).map(([field, each]) => [`this.${field.toLowerCase()}`, each] as const)
        : [['this', item] as const];
    return Object.fromEntries(
      fields.map(([field, each]) => [field, markup === true ? { value: textOf(each), markup } : textOf(each)]),
    );
  });
}

function listOf(json: string): readonly unknown[] {
  if (!json.trimStart().startsWith('[')) return [];
  try {
    return JSON.parse(json) as readonly unknown[];
  } catch {
    return [];
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
