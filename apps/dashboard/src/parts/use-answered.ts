import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';

/**
 * What the server has answered since the page was opened, for what is edited: not what was kept from before. It stays when
 * reading it again fails, since an error in its place would throw away what is not saved yet.
 * @param id of what is edited: another one is another page
 */
export function useAnswered<Data>(query: UseQueryResult<Data>, id: string): Data | undefined {
  const openedAt = useMemo(() => Date.now(), [id]);
  const { data, error, dataUpdatedAt, isFetchedAfterMount } = query;
  // A first question that fails is over too, and leaves what was kept.
  return isFetchedAfterMount && (error === null || dataUpdatedAt >= openedAt) ? data : undefined;
}
