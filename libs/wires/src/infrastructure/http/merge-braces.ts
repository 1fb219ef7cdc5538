import type { MergeValues } from '#kernel';
import { checkTagCount, ValidationError } from '#kernel';

/** Variables of one message. An email has at most 100 merge values, and one is that of the braces. */
export const maxPersonalVariables = 98;
const maxBraces = 9_000;

/** The value of the tag that stands for two braces. Values are never searched for tags. */
export const bracesValue: MergeValues = { braces: { value: '{{', markup: true } };

/** Puts a merge tag in the place of each two braces, so that no text of a client is read as a merge tag of ours. */
export function withoutBraces(text: string): string {
  let count = 0;
  const braced = text.replace(/\{\{/g, () => (++count > maxBraces ? '' : '{{{braces}}}'));
  if (count > maxBraces) throw new ValidationError(`A text may have \`{{\` at most ${maxBraces} times.`);
  return braced;
}

export const tagOfNumber = (number: number): string => `{{{v${number}}}}`;

/** The text, if not more variables are in it than a text of ours may have. */
export function countedTags(field: string, text: string): string {
  checkTagCount(field, text);
  return text;
}

/** A value as it is, also in html. */
export const verbatim = (number: number, value: string): readonly [string, MergeValues[string]] => [
  `v${number}`,
  { value, markup: true },
];
