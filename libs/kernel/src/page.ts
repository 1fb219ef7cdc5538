import { ValidationError } from './domain-error.js';

/** A keyset page request: newest first, `after` and `before` are ids and exclusive. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

export const maxPageSize = 100;
const defaultPageSize = 20;

/** Items of a list that is answered as a whole, at most: bounded, whatever a team piles up. */
const maxWholeList = 1_000;

/** Reads the three query parameters every list takes. Empty strings count as absent, as some clients send them. */
export function parsePageRequest(query: { limit?: unknown; after?: unknown; before?: unknown }): PageRequest {
  const after = cursor('after', query.after);
  const before = cursor('before', query.before);
  if (after !== undefined && before !== undefined) {
    throw new ValidationError('The `after` and `before` parameters cannot be used together.');
  }
  return { limit: pageSize(query.limit), after, before };
}

/**
 * Like `parsePageRequest`, for the older lists of the contract: without any of the parameters they answer everything
 * (docs/wire-contract.md section 1.5).
 */
export function parseWholeListRequest(query: { limit?: unknown; after?: unknown; before?: unknown }): PageRequest {
  const asksForPage = [query.limit, query.after, query.before].some((value) => value !== undefined && value !== '');
  return asksForPage ? parsePageRequest(query) : { limit: maxWholeList };
}

/** A page from up to one item more than it holds, which were read in the direction of the request. */
export function pageOf<Item>(request: PageRequest, read: readonly Item[]): Page<Item> {
  const items = read.slice(0, request.limit);
  return { items: request.before === undefined ? items : items.reverse(), hasMore: read.length > request.limit };
}

function pageSize(value: unknown): number {
  if (value === undefined || value === '') return defaultPageSize;
  const limit = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : NaN;
  if (!(limit >= 1 && limit <= maxPageSize)) {
    throw new ValidationError(`The \`limit\` must be a number between 1 and ${maxPageSize}.`);
  }
  return limit;
}

function cursor(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > 256) {
    throw new ValidationError(`The \`${name}\` parameter is not a valid cursor.`);
  }
  return value;
}
