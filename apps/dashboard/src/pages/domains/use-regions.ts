import { useQuery } from '@tanstack/react-query';
import { answer, api, type Schema } from '../../api/client';

/** The regions to choose from. None where all of them are the same mail server: then nobody needs to see their names. */
export function useRegions(): readonly Schema<'RegionResponse'>[] {
  const regions = useQuery({
    queryKey: ['regions'],
    queryFn: () => answer(api.GET('/domains/regions')),
    staleTime: Infinity,
  });
  const all = regions.data?.data ?? [];
  return new Set(all.map(({ host }) => host)).size > 1 ? all : [];
}
