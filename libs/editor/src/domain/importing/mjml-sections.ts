import { parsedCondition } from '#kernel';
import type { DocumentNode } from '../document/document-node.js';
import { block } from './html-blocks.js';
import { HtmlElement, textOf } from './html-tree.js';

/** Conditions in conditions. Documents may have four. */
const maxOpen = 4;
const ends: Readonly<Record<string, string>> = { '{{/if}}': 'conditional', '{{/each}}': 'repeat' };

interface OpenSection {
  readonly type: string;
  readonly attrs: Readonly<Record<string, unknown>>;
  /** The tag, for a section without an end. */
  readonly tag: readonly DocumentNode[];
  readonly blocks: DocumentNode[];
}

/**
 * Blocks among which an `mj-raw` may begin or end a condition or a list. A tag without its counterpart stays
 * visible text, so that people notice it.
 */
export class MjmlSections {
  private readonly open: OpenSection[] = [];
  private readonly top: DocumentNode[] = [];
  /** Sections that stay text and have not ended. */
  private ignored = 0;

  get depth(): number {
    return this.open.length;
  }

  add(...blocks: readonly DocumentNode[]): void {
    for (const each of blocks) this.last.push(each);
  }

  /** False if the element is no such tag, or has no counterpart. */
  tag(element: HtmlElement): boolean {
    const text = textOf(element).trim();
    if (text.startsWith('{{#')) return this.begin(text);
    const section = this.open.at(-1);
    const type = Object.hasOwn(ends, text) ? ends[text] : undefined;
    if (type === undefined) return false;
    if (this.ignored > 0) {
      this.ignored--;
      return false;
    }
    if (type !== section?.type) return false;
    this.open.pop();
    if (section.blocks.length > 0) this.add(block(section.type, section.attrs, section.blocks));
    return true;
  }

  finished(): DocumentNode[] {
    for (let section = this.open.pop(); section !== undefined; section = this.open.pop()) {
      this.add(...section.tag, ...section.blocks);
    }
    return this.top;
  }

  private begin(text: string): boolean {
    const begun = this.open.length < maxOpen ? beginningOf(text) : undefined;
    const isTwice = begun?.type === 'repeat' && this.open.some(({ type }) => type === 'repeat');
    if (begun === undefined || isTwice) {
      this.ignored++;
      return false;
    }
    const tag = [block('paragraph', {}, [{ type: 'text', text }])];
    this.open.push({ ...begun, tag, blocks: [] });
    return true;
  }

  private get last(): DocumentNode[] {
    return this.open.at(-1)?.blocks ?? this.top;
  }
}

function beginningOf(text: string): Pick<OpenSection, 'type' | 'attrs'> | undefined {
  const [, list] = /^\{\{#each[ \t]{1,9}(\w[\w.]{0,59})[ \t]{0,9}\}\}$/.exec(text) ?? [];
  if (list !== undefined) return { type: 'repeat', attrs: { list } };
  const [, condition] = /^\{\{#if\s([^{}]{1,4000})\}\}$/.exec(text) ?? [];
  const rule = condition === undefined ? undefined : parsedCondition(condition);
  return rule === undefined ? undefined : { type: 'conditional', attrs: { rule } };
}
