import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, api } from '../../api/client';

export interface Reach {
  readonly sent: number;
  readonly delivered: number;
  /** Per cent of the delivered emails; undefined while nothing was delivered. */
  readonly openRate: number | undefined;
  readonly clickRate: number | undefined;
}

const daysBack = 30;

/** What became of each broadcast of the last weeks: one request for the whole list. */
export function useReach(): ReadonlyMap<string, Reach> {
  const metrics = useQuery({
    queryKey: ['broadcast-reach'],
    queryFn: () =>
      answer(
        api.GET('/broadcasts/metrics', {
          params: {
            query: {
              start_date: new Date(Date.now() - daysBack * 86_400_000).toISOString(),
              metrics: ['sent', 'delivered', 'open_rate', 'click_rate'],
              dimensions: ['broadcast'],
            },
          },
        }),
      ),
  });
  const rows = metrics.data?.data;
  return useMemo(
    () =>
      new Map(
        (rows ?? []).map(({ id = '', sent = 0, delivered = 0, open_rate: openRate, click_rate: clickRate }) => [
          id,
          { sent, delivered, openRate: openRate ?? undefined, clickRate: clickRate ?? undefined },
        ]),
      ),
    [rows],
  );
}
