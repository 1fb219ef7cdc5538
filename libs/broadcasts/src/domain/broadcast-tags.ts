import { MergeTag, MergeTemplate, ValidationError } from '#kernel';
import { MissingFallbackError } from './broadcast-errors.js';
import { BroadcastContent } from './broadcast.js';

/** Maximum number of names in one broadcast: an email may have at most 100 values, of which the service needs some. */
export const maxNames = 80;
/** How many tags an error names. */
const maxNamed = 10;

/** A contact always has these, though a name may be empty. */
const fields: ReadonlySet<string> = new Set(['first_name', 'last_name', 'email']);

/** A property of contacts, with or without a fallback. */
export interface KnownProperty {
  readonly key: string;
  readonly fallbackValue: unknown;
}

/**
 * Throws if a recipient could get a gap instead of a value: a property that nobody defined, or one without a fallback,
 * in a tag without a fallback of its own. Text in two braces of an unknown name may belong to another program, and
 * stays as it is.
 */
export function checkTags(
  content: BroadcastContent,
  subjects: readonly string[],
  properties: readonly KnownProperty[],
  unsubscribeTags: ReadonlySet<string>,
): void {
  const known = new Map(properties.map(({ key, fallbackValue }) => [key.toLowerCase(), fallbackValue]));
  const isGap = ({ name, fallback, isCareful }: MergeTag): boolean => {
    if (fallback !== undefined || fields.has(name) || unsubscribeTags.has(name)) return false;
    return known.has(name) ? known.get(name) == null : !isCareful;
  };
  const texts = [content.subject, ...subjects, content.previewText, content.html, content.text];
  const tags = texts.flatMap((text) => (text === null ? [] : new MergeTemplate(text, 'text').tags));
  const gaps = new Map(tags.filter(isGap).map((tag) => [tag.name, tag.key.slice(0, 100)]));
  if (gaps.size > 0) throw new MissingFallbackError([...gaps.values()].slice(0, maxNamed));
  if (new Set(tags.map(({ name }) => name)).size > maxNames) {
    throw new ValidationError(`A broadcast may have tags of at most ${maxNames} names.`);
  }
}

type Texts = Pick<BroadcastContent, 'subject' | 'previewText' | 'html' | 'text'>;

/** Names of the tags in a broadcast and in further subjects of it, as merges compare names. */
export function usedNames(
  { subject, previewText, html, text }: Texts,
  subjects: readonly string[] = [],
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const part of [subject, ...subjects, previewText, html, text]) {
    if (part === null) continue;
    for (const { name } of new MergeTemplate(part, 'text').tags) names.add(name);
  }
  return names;
}
