import { firstIdAt, isUuid, PageRequest, timeOfId, ValidationError } from '#kernel';

export interface KeysetClauses {
  /** `AND id < $n` or `AND id > $n`, with a bound on the other side or without, or nothing. */
  readonly condition: string;
  /** `ORDER BY id …  LIMIT …`, one item more than the page holds, for `pageOf`. */
  readonly order: string;
  /** To be appended to the statement's values. */
  readonly values: readonly string[];
}

/**
 * The clauses of a page over a UUIDv7 key, newest first: page 1 and page 10,000 cost the same.
 *
 * @param bound where the page ends at the latest, from `nearestFirst`.
 */
export function keysetCondition(page: PageRequest, firstParameter: number, bound?: string): KeysetClauses {
  const cursor = page.after ?? page.before;
  const backwards = page.before !== undefined;
  const order = `ORDER BY id ${backwards ? 'ASC' : 'DESC'} LIMIT ${page.limit + 1}`;
  if (cursor !== undefined && !isUuid(cursor)) {
    throw new ValidationError('The cursor must be the id of an item of the list.');
  }
  const limits = [
    { operator: backwards ? '>' : '<', value: cursor },
    { operator: backwards ? '<=' : '>=', value: bound },
  ].flatMap(({ operator, value }) => (value === undefined ? [] : [{ operator, value }]));
  return {
    condition: limits.map(({ operator }, index) => `AND id ${operator} $${firstParameter + index}`).join(' '),
    order,
    values: limits.map(({ value }) => value),
  };
}

const nearMs = 86_400_000;
const lastMs = 2 ** 48 - 1;

/**
 * Reads a page of a table that is partitioned by day: first within a day of the cursor, where most pages lie, and in the
 * whole table only where these do not fill it. PostgreSQL plans for each partition that the condition leaves: with a
 * month of them a page of 100 emails took it 4 ms, within two of them 0.6.
 */
export async function nearestFirst<Row>(
  page: PageRequest,
  read: (bound?: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const near = await read(boundNear(page));
  return near.length > page.limit ? near : read();
}

function boundNear({ after, before }: PageRequest): string {
  const cursor = after ?? before;
  const from = cursor !== undefined && isUuid(cursor) ? timeOfId(cursor).getTime() : Date.now();
  const bound = before === undefined ? from - nearMs : from + nearMs;
  return firstIdAt(new Date(Math.min(Math.max(bound, 0), lastMs)));
}
