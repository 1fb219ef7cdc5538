import type { Parser } from '#platform/parsing';
import { HeaderCondition, HeaderValue, holdingAmong } from '../../domain/header-condition.js';

/** Indexes of the conditions that hold for a header, which is given as JSON. */
export function parse(header: Uint8Array, conditions: readonly HeaderCondition[]): number[] {
  const values = JSON.parse(new TextDecoder().decode(header)) as HeaderValue[];
  const holding = holdingAmong(conditions, values);
  return [...conditions.keys()].filter((index) => holding.has(conditions[index] as HeaderCondition));
}

/** Only for much work: the caller does little work itself. */
export const headerConditionsParser: Parser<readonly HeaderCondition[], number[]> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 0,
};
