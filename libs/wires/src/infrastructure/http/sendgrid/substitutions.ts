import type { SendRequest } from '#emails';
import type { MergeValues } from '#kernel';
import { DomainError, ValidationError } from '#kernel';
import {
  bracesValue,
  countedTags,
  maxPersonalVariables,
  tagOfNumber,
  verbatim,
  withoutBraces,
} from '../merge-braces.js';

/** What one message may cost where each email gets a text of its own: characters, once for each tag. */
const maxReplacedLength = 50_000_000;
const maxLength = 40 * 1024 * 1024;

type Values = Readonly<Record<string, string>>;

/**
 * Substitutions of SendGrid: any texts, each of which stands for a value of the recipient. They become merge tags of ours.
 *
 * A tag is first marked by half of a surrogate pair, which no text of a request has, so that no other tag is found in it.
 */
export class Substitutions {
  /** Longer ones first: one tag may begin with another one. */
  private readonly keys: readonly string[];

  constructor(private readonly values: readonly Values[]) {
    this.keys = [...new Set(values.flatMap((one) => Object.keys(one)))]
      .filter((key) => key !== '')
      .sort((a, b) => b.length - a.length);
    if (this.keys.length > maxPersonalVariables) {
      throw new ValidationError(`\`substitutions\` may have at most ${maxPersonalVariables} different tags.`);
    }
  }

  tagged(field: string, text: string): string {
    const found = this.keys.reduce((rest, key, at) => rest.replaceAll(key, () => markOf(at)), text);
    const tagged = withoutBraces(found).replace(anyMark, (mark) => tagOfNumber(mark.charCodeAt(0) - firstMark));
    return countedTags(field, tagged);
  }

  valuesOf(position: number): MergeValues {
    const own = this.values[position] ?? {};
    const named = this.keys.map((key, at) => verbatim(at, Object.hasOwn(own, key) ? (own[key] ?? '') : key));
    return { ...bracesValue, ...Object.fromEntries(named) };
  }
}

const firstMark = 0xdc00;
const markOf = (number: number): string => String.fromCharCode(firstMark + number);
const anyMark = /[\udc00-\udc61]/gu;

/** For recipients who do not differ in their values alone: each email has its own texts. */
export function applied(requests: readonly SendRequest[], values: readonly Values[]): SendRequest[] {
  let replaced = 0;
  let length = 0;
  return requests.map((request, at) => {
    const entries = Object.entries(values[at] ?? {}).filter(([key]) => key !== '');
    const fill = (text: SendRequest['html']): string | undefined => {
      if (text === undefined) return undefined;
      replaced += text.length * entries.length;
      if (replaced > maxReplacedLength) throw new ValidationError('`substitutions` are too many for this `content`.');
      const marked = entries.reduce((rest, [key], number) => rest.replaceAll(key, () => markOf(number)), String(text));
      const filled = marked.replace(anyMark, (mark) => entries[mark.charCodeAt(0) - firstMark]?.[1] ?? '');
      length += filled.length;
      if (length > maxLength)
        throw new DomainError('too_large', 'validation_error', 'The emails are larger than 40 MB.');
      return filled;
    };
    if (entries.length > maxPersonalVariables) {
      throw new ValidationError(`\`substitutions\` may have at most ${maxPersonalVariables} tags.`);
    }
    return { ...request, subject: fill(request.subject), html: fill(request.html), text: fill(request.text) };
  });
}
