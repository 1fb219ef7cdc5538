import { useInfiniteQuery, useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { mergedHead } from '../logic/merged-head';

export interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  /** Cursor of the next page. Absent: the id of the last row. A search may return it with a page of few rows, or none. */
  readonly next?: string | null;
}

export interface PageRequest {
  readonly limit: number;
  /** Id of the last row before this page; undefined for the first page. */
  readonly after: string | undefined;
  readonly signal?: AbortSignal;
}

export type ReadPage<Row> = (request: PageRequest) => Promise<PageOf<Row>>;

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
  /** Reads the newest rows again and puts those that are new before the others. */
  readonly refreshHead: () => Promise<void>;
  /** Changes the row with this id if it is loaded, and says whether it is. */
  readonly patch: (id: string, change: (row: Row) => Row) => boolean;
  readonly readPage: ReadPage<Row>;
}

const pageSize = 60;
type Pages<Row> = InfiniteData<PageOf<Row>, string | undefined>;

/** A list of the API, page after page. `key` has to contain everything that `readPage` depends on, filters included. */
export function usePages<Row extends { readonly id: string }>(key: QueryKey, readPage: ReadPage<Row>): Rows<Row> {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => readPage({ limit: pageSize, after: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.has_more ? (last.next ?? last.data.at(-1)?.id) : undefined),
    // All pages would be read again: new rows come by `refreshHead`.
    refetchOnWindowFocus: false,
    refetchOnMount: (state) => (state.state.data?.pages.length ?? 0) <= 1,
  });
  const [latest] = useState(() => ({ key, readPage }));
  latest.key = key;
  latest.readPage = readPage;

  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  const refreshHead = useCallback(async () => {
    // The filters may change while it is read: the rows belong to the list for which they were read.
    const { key: asked, readPage: read } = latest;
    const head = await read({ limit: pageSize, after: undefined });
    client.setQueryData<Pages<Row>>(asked, (known) => known && { ...known, pages: mergedHead(known.pages, head) });
  }, [client, latest]);
  const patch = useCallback(
    (id: string, change: (row: Row) => Row) => {
      const known = client.getQueryData<Pages<Row>>(latest.key);
      const isKnown = known?.pages.some(({ data }) => data.some((row) => row.id === id)) ?? false;
      if (!isKnown) return false;
      client.setQueryData<Pages<Row>>(latest.key, (pages) => pages && patched(pages, id, change));
      return true;
    },
    [client, latest],
  );
  return {
    rows,
    isLoading: query.isPending,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    hasMore: query.hasNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) void query.fetchNextPage();
    },
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    refreshHead,
    patch,
    readPage,
  };
}

function patched<Row extends { readonly id: string }>(
  pages: Pages<Row>,
  id: string,
  change: (row: Row) => Row,
): Pages<Row> {
  const inPage = (page: PageOf<Row>): PageOf<Row> => {
    if (!page.data.some((row) => row.id === id)) return page;
    return { ...page, data: page.data.map((row) => (row.id === id ? change(row) : row)) };
  };
  return { ...pages, pages: pages.pages.map(inPage) };
}
