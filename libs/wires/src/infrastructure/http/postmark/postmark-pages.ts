import { ValidationError } from '#kernel';
import { parameter, wholeParameter } from '../wire-fields.js';

const maxCount = 500;
/** Postmark goes to 10,000. Items before the offset are read again for each page. */
const maxReached = 1_000;

export interface OffsetPage {
  readonly count: number;
  readonly offset: number;
}

/** `count` and `offset`, which every list of Postmark needs. */
export function offsetPage(query: Readonly<Record<string, unknown>>): OffsetPage {
  if (parameter(query, 'count') === undefined) throw new ValidationError('`count` is required.');
  const count = wholeParameter(query, 'count', { min: 1, max: maxCount, otherwise: maxCount });
  const offset = wholeParameter(query, 'offset', { min: 0, max: maxReached, otherwise: 0 });
  if (count + offset > maxReached) {
    throw new ValidationError(
      `\`count\` and \`offset\` together reach ${maxReached} at most. Narrow it by \`todate\`.`,
    );
  }
  return { count, offset };
}

/** Servers and webhooks of Postmark have numbers. */
export function numberOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) % 2_000_000_000;
}
