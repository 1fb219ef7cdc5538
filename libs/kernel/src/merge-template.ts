import { ValidationError } from './domain-error.js';
import { sectionsOf } from './merge-sections.js';
import { MergeValues } from './merge-values.js';
import { SectionedText } from './sectioned-text.js';
import { CompiledText, MergeTag, MergeTarget, TagBudget, TaggedText } from './tagged-text.js';

/**
 * Maximum number of tags of one text. Further ones stay as they are. Compiling a megabyte of tags takes 250 ms, these
 * take 15 ms. Texts with more are refused where they are written: see `checkTagCount`.
 */
export const maxMergeTags = 10_000;
/** One more, for the link to unsubscribe that a broadcast may get at its end. */
const maxReadTags = maxMergeTags + 1;

/**
 * A text with merge tags (docs/templates.md). A tag becomes the value of its name, else the fallback after `|`, else
 * the fallback that comes with the values, else nothing. Text that is not a valid tag stays unchanged, and values are
 * never searched for tags. A fallback after `|` is written by the sender and is never escaped.
 *
 * Compiling is linear in the length of the text, rendering in the length of the result, and computing its size in the
 * length of the values, however often they are used.
 */
export class MergeTemplate {
  /** The text has more tags than `maxMergeTags`. */
  readonly hasTooManyTags: boolean;
  private readonly compiled: CompiledText;

  /** @param only normalized names. If set, other tags and all sections stay unchanged. */
  constructor(text: string, target: MergeTarget, only?: ReadonlySet<string>) {
    const budget: TagBudget = { left: maxReadTags };
    const sections = only === undefined ? sectionsOf(text) : undefined;
    this.compiled =
      sections === undefined ? new TaggedText(text, target, budget, only) : new SectionedText(sections, target, budget);
    this.hasTooManyTags = budget.left < 1;
  }

  get tags(): readonly MergeTag[] {
    return this.compiled.tags;
  }

  /**
   * @param values as `mergeValues` returns them
   * @param maxLength of the result, in characters. Rendering stops there.
   */
  render(values: MergeValues, maxLength = Infinity): string {
    return this.compiled.render(values, maxLength);
  }

  /** UTF-8 length of the result of `render`, computed without rendering: each value is read once. */
  renderedBytes(values: MergeValues): number {
    return this.compiled.renderedBytes(values);
  }
}

/** Throws ValidationError for a text with more than `maxMergeTags` tags. */
export function checkTagCount(field: string, text: string | null): void {
  if (text !== null && new MergeTemplate(text, 'text').hasTooManyTags) {
    throw new ValidationError(`The \`${field}\` field may have at most ${maxMergeTags} tags.`);
  }
}
