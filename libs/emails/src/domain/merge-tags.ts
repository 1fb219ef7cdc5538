import { bytesOfText, escapedHtml } from '#kernel';

/** Values of one recipient, by name. Names are compared in lower case and without `contact.`. */
export type MergeValues = Readonly<Record<string, string>>;

/** Values are escaped in html, so that text that a contact typed into a form cannot become markup in an email. */
export type MergeTarget = 'html' | 'text';

interface MergeTag {
  readonly name: string;
  readonly fallback: string;
}

/**
 * `{{{NAME}}}`, `{{{NAME|fallback}}}`, `{{{contact.name|fallback}}}`. Lengths are bounded, so that parsing is linear
 * for any text.
 */
const tagForm = /\{\{\{([a-z_][\w.]{0,99})(?:\|([^{}]{0,500}))?\}\}\}/gi;

/**
 * A text with merge tags (docs/wire-contract.md section 17.6). Each tag is replaced by the value of its name, or by the
 * fallback after `|`, or by nothing. Text that is not a valid tag stays unchanged. A fallback is written by the sender
 * and is never escaped.
 *
 * Compiling is linear in the length of the text, rendering in the length of the result.
 */
export class MergeTemplate {
  /** The text before, between and after the tags: one more entry than there are tags. */
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

  private textOf({ name, fallback }: MergeTag, values: MergeValues): string {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === '') return fallback;
    return this.target === 'html' ? escapedHtml(value) : value;
  }
}

/** Normalizes the names of values, so that templates find them. */
export function mergeValues(given: MergeValues): MergeValues {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [mergeName(name), value]));
}

function mergeName(name: string): string {
  const lower = name.toLowerCase();
  return lower.startsWith('contact.') ? lower.slice('contact.'.length) : lower;
}
