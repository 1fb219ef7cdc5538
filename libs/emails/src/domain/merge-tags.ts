import { bytesOfText, escapedHtml } from '#kernel';

/** What is known of the person an email is for, by name. Names are compared in lower case and without `contact.`. */
export type MergeValues = Readonly<Record<string, string>>;

/** In html, values are escaped: what a contact has typed into a form must not become markup in somebody's mail. */
export type MergeTarget = 'html' | 'text';

interface MergeTag {
  readonly name: string;
  readonly fallback: string;
}

/** `{{{NAME}}}`, `{{{NAME|fallback}}}`, `{{{contact.name|fallback}}}`. Bounded, so that reading is linear whatever is written. */
const tagForm = /\{\{\{([a-z_][\w.]{0,99})(?:\|([^{}]{0,500}))?\}\}\}/gi;

/**
 * A text with merge tags (docs/wire-contract.md section 17.6): each becomes the value of its name, else the fallback behind `|`, else
 * nothing. What looks like a tag and is none stays as it is. A fallback is the sender's own text and is never escaped.
 *
 * Compiling is linear in the text, rendering linear in what is rendered.
 */
export class MergeTemplate {
  /** One more than there are tags: the text before, between and behind them. */
  private readonly literals: string[] = [];
  private readonly tags: MergeTag[] = [];
  private readonly literalBytes: number;

  constructor(
    text: string,
    private readonly target: MergeTarget,
  ) {
    let end = 0;
    for (const { 0: whole, 1: name = '', 2: fallback = '', index } of text.matchAll(tagForm)) {
      this.literals.push(text.slice(end, index));
      this.tags.push({ name: mergeName(name), fallback });
      end = index + whole.length;
    }
    this.literals.push(text.slice(end));
    this.literalBytes = this.literals.reduce((sum, literal) => sum + bytesOfText(literal), 0);
  }

  /** @param values as `mergeValues` gives them */
  render(values: MergeValues): string {
    let rendered = this.literals[0] as string;
    for (let i = 0; i < this.tags.length; i++) {
      rendered += this.textOf(this.tags[i] as MergeTag, values) + (this.literals[i + 1] as string);
    }
    return rendered;
  }

  /** UTF-8 bytes of what `render` gives, without rendering it. */
  renderedBytes(values: MergeValues): number {
    return this.tags.reduce((sum, tag) => sum + bytesOfText(this.textOf(tag, values)), this.literalBytes);
  }

  private textOf({ name, fallback }: MergeTag, values: MergeValues): string {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === '') return fallback;
    return this.target === 'html' ? escapedHtml(value) : value;
  }
}

/** The same values under the names by which templates find them. */
export function mergeValues(given: MergeValues): MergeValues {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [mergeName(name), value]));
}

function mergeName(name: string): string {
  const lower = name.toLowerCase();
  return lower.startsWith('contact.') ? lower.slice('contact.'.length) : lower;
}
