import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { rangeOf, rangeOfData, spanOfRange, type MetricRange } from '../../logic/metric-ranges';

/** Days that are looked at. Older accounts begin with a week. */
const days = { ...rangeOf('week'), hours: 8 * 24 };

/** The range of the charts while nobody has chosen one; undefined until the data is known. */
export function useFirstRange(isChosen: boolean, timezone: string): MetricRange | undefined {
  const sent = useQuery({
    queryKey: ['metrics', 'first', timezone],
    queryFn: () =>
      answer(
        api.GET('/emails/metrics', {
          params: {
            query: {
              start_date: spanOfRange(days, Date.now(), timezone).from,
              timezone,
              granularity: 'daily',
              metrics: ['sent'],
              dimensions: ['period'],
            },
          },
        }),
      ),
    enabled: !isChosen,
    // The charts keep their range while they are looked at.
    staleTime: Infinity,
  });
  if (sent.isError) return rangeOf(undefined);
  return sent.data === undefined
    ? undefined
    : rangeOfData((sent.data.data ?? []).map(({ sent: n }) => ({ sent: Number(n) })));
}
