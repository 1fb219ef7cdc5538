import { leavesOf, TextSection } from './merge-sections.js';
import { marked, mergeName, MergeValues } from './merge-values.js';
import { holds, LeafRule, Rule } from './rule.js';
import { CompiledText, MergeTag, MergeTarget, TagBudget, TaggedText } from './tagged-text.js';

/** Items of a list that are shown. */
export const maxMergeItems = 100;

type Part =
  | { readonly kind: 'text'; readonly text: CompiledText }
  | { readonly kind: 'if'; readonly rule: Rule; readonly then: CompiledText; readonly otherwise: CompiledText }
  | { readonly kind: 'each'; readonly name: string; readonly body: CompiledText };

/** A text with sections: its parts are shown one after the other. */
export class SectionedText implements CompiledText {
  readonly tags: readonly MergeTag[];
  private readonly parts: readonly Part[];

  constructor(sections: readonly TextSection[], target: MergeTarget, budget: TagBudget) {
    this.parts = sections.map((section) => partOf(section, target, budget));
    this.tags = this.parts.flatMap(tagsOfPart);
  }

  render(values: MergeValues, maxLength: number): string {
    let rendered = '';
    for (const part of this.parts) {
      if (rendered.length >= maxLength) break;
      for (const [text, own] of shownOf(part, values)) rendered += text.render(own, maxLength);
    }
    return rendered.length > maxLength ? rendered.slice(0, maxLength) : rendered;
  }

  renderedBytes(values: MergeValues): number {
    return this.parts.reduce((sum, part) => sum + bytesOfPart(part, values), 0);
  }
}

function partOf(section: TextSection, target: MergeTarget, budget: TagBudget): Part {
  const inner = (sections: readonly TextSection[]): CompiledText => new SectionedText(sections, target, budget);
  switch (section.kind) {
    case 'text':
      return { kind: 'text', text: new TaggedText(section.text, target, budget) };
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
      const fields = leavesOf(part.rule).map(({ field }): MergeTag => ({
        ...listTag(field),
        name: conditionName(field),
        fallback: '',
      }));
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

function bytesOfPart(part: Part, values: MergeValues): number {
  return shownOf(part, values).reduce((sum, [text, own]) => sum + text.renderedBytes(own), 0);
}

/** The texts that a part shows, each with the values for it. */
function shownOf(part: Part, values: MergeValues): readonly (readonly [CompiledText, MergeValues])[] {
  switch (part.kind) {
    case 'text':
      return [[part.text, values]];
    case 'if':
      return [[holds(part.rule, (field, leaf) => fieldOf(field, leaf, values)) ? part.then : part.otherwise, values]];
    case 'each':
      return itemsOf(part.name, values).map((item) => [part.body, { ...values, ...item }]);
  }
}

/** Rules of segments and automations name properties `contact.properties.plan`, tags name them `contact.plan`. */
function conditionName(field: string): string {
  return mergeName(field).replace(/^properties\./, '');
}

/** Values are stored as text, so that one is read as what it is compared with. A fallback is no value of the reader. */
function fieldOf(field: string, { operator, value: wanted }: LeafRule, values: MergeValues): unknown {
  const name = conditionName(field);
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
      fields.map(([field, each]) => [field, markup === true ? { value: textOfJson(each), markup } : textOfJson(each)]),
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

function textOfJson(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
