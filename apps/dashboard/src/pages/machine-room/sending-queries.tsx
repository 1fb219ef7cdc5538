import { Box, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';

export type Address = Schema<'SendingAddressSummary'>;
export type Pool = Schema<'SendingPoolSummary'>;
export type PoolUse = Schema<'PoolUseSummary'>;

interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Undefined: there are no more. */
  readonly more: (() => void) | undefined;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
}

const limit = 50;

function usePagesOf<Row extends { readonly id: string }>(
  key: readonly string[],
  read: (query: { readonly limit: number; readonly after?: string }) => Promise<Page<Row>>,
): Rows<Row> {
  const pages = useInfiniteQuery({
    queryKey: ['machine-room', 'sending', ...key],
    queryFn: ({ pageParam }: { readonly pageParam: string | undefined }) =>
      read({ limit, ...(pageParam === undefined ? {} : { after: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, has_more: hasMore }: Page<Row>) => (hasMore ? data.at(-1)?.id : undefined),
    refetchInterval: 15_000,
  });
  const rows = (pages.data?.pages ?? []).flatMap(({ data }) => data);
  return { rows, more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined };
}

export const useAddresses = (): Rows<Address> =>
  usePagesOf(['addresses'], (query) => answer(api.GET('/machine-room/addresses', { params: { query } })));

export const usePools = (): Rows<Pool> =>
  usePagesOf(['pools'], (query) => answer(api.GET('/machine-room/pools', { params: { query } })));

export const useUses = (id: string): Rows<PoolUse> =>
  usePagesOf(['pools', id, 'uses'], (query) =>
    answer(api.GET('/machine-room/pools/{id}/uses', { params: { path: { id }, query } })),
  );

/** A button below a list that has more. */
export function MoreRows({ rows: { more } }: { readonly rows: Rows<unknown> }) {
  const { t } = useTranslation();
  if (more === undefined) return null;
  return (
    <Box component="p" p={16} c="var(--text-3)">
      <Button variant="default" h={28} onClick={more}>
        {t('machine-room:more')}
      </Button>
    </Box>
  );
}
