/** A page of a list as the contract has it (docs/wire-contract.md section 1.5). Ids sort by time. */
export interface ListPage {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
  /** In searches: how far the cell has looked. Null at the end of the list. */
  readonly next?: string | null;
}

export interface Paging {
  readonly limit: number;
  /** Whether the page lies before a cursor: it ends at the item next to the cursor. */
  readonly isBackward: boolean;
}

/**
 * Merges the pages of cells, each newest first, into one page. A cell that has more may have items beyond the last that it
 * returned, so nothing beyond that is told: it comes with the next page.
 */
export function mergePages(pages: readonly ListPage[], { limit, isBackward }: Paging): ListPage {
  const isSearch = pages.some(({ next }) => next !== undefined);
  const nearestFirst = (a: string, b: string): number => (a === b ? 0 : a < b === isBackward ? -1 : 1);
  const ends = pages.flatMap((page) => endOf(page, isBackward) ?? []).sort(nearestFirst);
  const [end] = ends;
  const known = pages
    .flatMap(({ data }) => data)
    .sort((a, b) => nearestFirst(a.id, b.id))
    .filter(({ id }) => end === undefined || nearestFirst(id, end) <= 0);
  const data = known.slice(0, limit);
  const isCut = known.length > limit;
  const hasMore = isCut || end !== undefined;
  const next = isCut ? data.at(-1)?.id : end;
  return {
    data: isBackward ? data.reverse() : data,
    has_more: hasMore,
    ...(isSearch ? { next: next ?? null } : {}),
  };
}

/** The last id up to which the cell has told everything; undefined if that is its whole list. */
function endOf({ data, has_more, next }: ListPage, isBackward: boolean): string | undefined {
  if (next !== undefined) return next ?? undefined;
  if (!has_more) return undefined;
  return (isBackward ? data[0] : data.at(-1))?.id;
}
