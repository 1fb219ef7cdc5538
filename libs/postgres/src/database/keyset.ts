import { firstIdAt, isUuid, PageRequest, timeOfId, ValidationError } from '#kernel';

export interface KeysetClauses {
  /** `AND id < $n` or `AND id > $n`, or nothing, followed by the condition of the range. */
  readonly condition: string;
  /** `ORDER BY id …  LIMIT …`, one item more than the page holds, for `pageOf`. */
  readonly order: string;
  /** To be appended to the values of the statement. */
  readonly values: readonly string[];
}

/** Ids that were made in a period, in ms since 1970: from `from`, up to but not including `to`. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

const dayMs = 86_400_000;
const endOfTime = 2 ** 48 - 1;

/** The clauses for a page over a UUIDv7 key, newest first. Page 1 and page 10,000 take the same time. */
export function keysetCondition(page: PageRequest, firstParameter: number, range?: IdRange): KeysetClauses {
  const cursor = page.after ?? page.before;
  const direction = page.before === undefined ? 'DESC' : 'ASC';
  const order = `ORDER BY id ${direction} LIMIT ${page.limit + 1}`;
  const within = range === undefined ? '' : `AND ${idsWithin('id', range)}`;
  if (cursor === undefined) return { condition: within, order, values: [] };
  if (!isUuid(cursor)) throw new ValidationError('The cursor must be the id of an item of the list.');
  const operator = page.before === undefined ? '<' : '>';
  return { condition: `AND id ${operator} $${firstParameter} ${within}`, order, values: [cursor] };
}

/**
 * Reads a page of a table that is partitioned by day: first within a day of the cursor, where most pages are, and in
 * the whole table only if that does not fill the page. PostgreSQL plans for each partition that may match: a page of
 * 100 emails takes 5 ms with the partitions of a month, and 2 ms within a day.
 */
export async function nearestFirst<Row>(
  page: PageRequest,
  read: (range?: IdRange) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const near = await read(rangeNear(page));
  return near.length > page.limit ? near : read();
}

/** A condition with literal bounds, because generic plans do not use the values of parameters (`force_generic_plan`). */
export function idsWithin(column: string, { from, to }: IdRange): string {
  return `${column} >= '${idAt(from)}' AND ${column} < '${idAt(to)}'`;
}

/** The ids that were made in the same millisecond as this one. */
export function rangeOf(id: string): IdRange {
  const at = timeOfId(id).getTime();
  return { from: at, to: at + 1 };
}

function rangeNear({ after, before }: PageRequest): IdRange {
  if (after !== undefined && isUuid(after)) {
    const { from, to } = rangeOf(after);
    return { from: from - dayMs, to };
  }
  if (before !== undefined && isUuid(before)) {
    const { from, to } = rangeOf(before);
    return { from, to: to + dayMs };
  }
  return { from: Date.now() - dayMs, to: endOfTime };
}

function idAt(moment: number): string {
  return firstIdAt(new Date(Math.min(Math.max(moment, 0), endOfTime)));
}

/** The lowest and the highest id, with which PostgreSQL can skip the partitions of other days. `ids` must not be empty. */
export function boundsOf(ids: readonly string[]): [lowest: string, highest: string] {
  const sorted = [...ids].sort();
  return [sorted[0] as string, sorted[sorted.length - 1] as string];
}
