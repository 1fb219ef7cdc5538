import { parsedCondition } from './merge-conditions.js';
import { LeafRule, Rule } from './rule.js';

/** A piece of a text with sections, in the order of the text. */
export type TextSection =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'if';
      readonly rule: Rule;
      /** Shown if the rule holds. */
      readonly then: readonly TextSection[];
      readonly otherwise: readonly TextSection[];
    }
  | { readonly kind: 'each'; readonly name: string; readonly body: readonly TextSection[] };

export const maxSections = 200;
export const maxSectionDepth = 6;
/** Limit of all conditions of a text together: the time of a rendering. */
const maxLeaves = 500;

/** All lengths are bounded, and no match goes beyond the next brace, so that this is linear for any text. */
const sectionTag =
  /\{\{[ \t]{0,9}(?:(#|else[ \t]{1,9})if[ \t\r\n]([^{}]{1,4000})|#each[ \t]{1,9}(\w[\w.]{0,99})[ \t]{0,9}|(else|\/if|\/each)[ \t]{0,9})\}\}/g;

/** Also the tags of other languages of templates, and those that lack something. */
const anySectionTag = /\{\{[ \t]{0,9}(?:[#/](?:if|unless|each)|else)\b[^{}]{0,4000}\}\}/g;

type OpenSection =
  | {
      readonly kind: 'if';
      readonly rule: Rule;
      /** It is an `else if`, which ends with the section that it belongs to. */
      readonly isElse: boolean;
      readonly then: TextSection[];
      otherwise: TextSection[] | undefined;
    }
  | { readonly kind: 'each'; readonly name: string; readonly body: TextSection[] };

/**
 * The sections of a text: `{{#if plan eq "pro"}}…{{else}}…{{/if}}` and `{{#each ITEMS}}…{{/each}}`. Undefined if there is none, or
 * if one of them is not valid: the whole text then stays as it is, since a section that is half understood could show to
 * everybody what is meant for a few.
 */
export function sectionsOf(text: string): readonly TextSection[] | undefined {
  if (!/\{\{[ \t]{0,9}#/.test(text)) return undefined;
  const reader = new SectionReader();
  let at = 0;
  for (const match of text.matchAll(sectionTag)) {
    reader.add(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (!reader.tag(match)) return undefined;
  }
  reader.add(text.slice(at));
  return reader.finished();
}

/** Whether readers would see tags of sections. A beginning without an end, or the other way round, is text about tags. */
export function hasUnreadSections(text: string): boolean {
  const tags = text.match(anySectionTag) ?? [];
  if (!tags.some((tag) => tag.includes('#')) || !tags.some((tag) => tag.includes('/'))) return false;
  return sectionsOf(text) === undefined || tags.some((tag) => tag.match(sectionTag)?.[0] !== tag);
}

class SectionReader {
  private readonly top: TextSection[] = [];
  private readonly open: OpenSection[] = [];
  private count = 0;
  private leaves = 0;

  add(text: string): void {
    if (text !== '') this.place().push({ kind: 'text', text });
  }

  /** False if the tag is not valid here. */
  tag([, begin, condition, list, rest]: RegExpMatchArray): boolean {
    // A list in a list could multiply without end.
    if (list !== undefined) return !this.isRepeated() && this.begin({ kind: 'each', name: list, body: [] });
    if (begin === '#') return this.begin(ifSection(condition, false));
    if (condition !== undefined) return this.otherwise() && this.begin(ifSection(condition, true));
    if (rest === 'else') return this.otherwise();
    if (rest !== `/${this.open.at(-1)?.kind}`) return false;
    this.end();
    return true;
  }

  private otherwise(): boolean {
    const current = this.open.at(-1);
    if (current?.kind !== 'if' || current.otherwise !== undefined) return false;
    current.otherwise = [];
    return true;
  }

  private end(): void {
    const ended = this.open.pop() as OpenSection;
    const { kind } = ended;
    this.place().push(kind === 'each' ? ended : { ...ended, otherwise: ended.otherwise ?? [] });
    if (kind === 'if' && ended.isElse) this.end();
  }

  finished(): readonly TextSection[] | undefined {
    return this.open.length === 0 && this.count > 0 ? this.top : undefined;
  }

  private begin(section: OpenSection | undefined): boolean {
    if (section === undefined || ++this.count > maxSections || this.open.length >= maxSectionDepth) return false;
    if (section.kind === 'if' && (this.leaves += leavesOf(section.rule).length) > maxLeaves) return false;
    this.open.push(section);
    return true;
  }

  private isRepeated(): boolean {
    return this.open.some(({ kind }) => kind === 'each');
  }

  private place(): TextSection[] {
    const current = this.open.at(-1);
    if (current === undefined) return this.top;
    return current.kind === 'each' ? current.body : (current.otherwise ?? current.then);
  }
}

function ifSection(condition = '', isElse: boolean): OpenSection | undefined {
  const rule = parsedCondition(condition);
  return rule === undefined ? undefined : { kind: 'if', rule, isElse, then: [], otherwise: undefined };
}

export function leavesOf(rule: Rule): readonly LeafRule[] {
  return rule.type === 'rule' ? [rule] : rule.rules.flatMap(leavesOf);
}
