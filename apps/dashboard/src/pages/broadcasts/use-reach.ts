import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, api } from '../../api/client';

export interface Reach {
  readonly sent: number;
  readonly delivered: number;
}

const daysBack = 30;

/** How many emails of each broadcast of the last weeks went out and arrived: one request for the whole list. */
export function useReach(): ReadonlyMap<string, Reach> {
  const metrics = useQuery({
    queryKey: ['broadcast-reach'],
    queryFn: () =>
      answer(
        api.GET('/broadcasts/metrics', {
          params: {
            query: {
              start_date: new Date(Date.now() - daysBack * 86_400_000).toISOString(),
              metrics: ['sent', 'delivered'],
              dimensions: ['broadcast'],
            },
          },
        }),
      ),
  });
  const rows = metrics.data?.data;
  return useMemo(
    () => new Map((rows ?? []).map(({ id = '', sent = 0, delivered = 0 }) => [id, { sent, delivered }])),
    [rows],
  );
}
