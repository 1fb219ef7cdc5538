import { isUuid, PageRequest, ValidationError } from '#kernel';

export interface KeysetClauses {
  /** `AND id < $n` or `AND id > $n`, or nothing. */
  readonly condition: string;
  /** `ORDER BY id …  LIMIT …`, one item more than the page holds, for `pageOf`. */
  readonly order: string;
  /** To be appended to the statement's values. */
  readonly values: readonly string[];
}

/** The clauses of a page over a UUIDv7 key, newest first: page 1 and page 10,000 cost the same. */
export function keysetCondition(page: PageRequest, firstParameter: number): KeysetClauses {
  const cursor = page.after ?? page.before;
  const direction = page.before === undefined ? 'DESC' : 'ASC';
  const order = `ORDER BY id ${direction} LIMIT ${page.limit + 1}`;
  if (cursor === undefined) return { condition: '', order, values: [] };
  if (!isUuid(cursor)) throw new ValidationError('The cursor must be the id of an item of the list.');
  return { condition: `AND id ${page.before === undefined ? '<' : '>'} $${firstParameter}`, order, values: [cursor] };
}
