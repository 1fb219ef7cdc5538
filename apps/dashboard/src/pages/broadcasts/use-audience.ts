import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';

export interface Audience {
  /** How many contacts would get it now; undefined while that is read. */
  readonly count: number | undefined;
  readonly estimated: boolean;
  /** Some of them, to look at the email as they see it. */
  readonly sample: readonly { readonly id: string; readonly email: string }[];
  readonly error: unknown;
}

/** Who would get it if it were sent now: members of the segment that are subscribed, also to the topic. */
export function useAudience(segmentId: string, topicId: string | null): Audience {
  const audience = useQuery({
    queryKey: ['segment', segmentId, 'audience', topicId],
    queryFn: async () => {
      const { filter } = await answer(api.GET('/segments/{id}', { params: { path: { id: segmentId } } }));
      const rules = [
        filter ?? { type: 'rule', field: `contact.segments.${segmentId}`, operator: 'exists' },
        { type: 'rule', field: 'contact.unsubscribed', operator: 'eq', value: false },
        ...(topicId === null
          ? []
          : [{ type: 'rule', field: `contact.topics.${topicId}`, operator: 'eq', value: 'opt_in' }]),
      ];
      return answer(api.POST('/segments/preview', { body: { filter: { type: 'and', rules } } as never }));
    },
    enabled: segmentId !== '',
  });
  const { data, error } = audience;
  return {
    count: data?.subscribers,
    estimated: data?.estimated ?? false,
    sample: (data?.sample ?? []).map(({ id, email }) => ({ id, email })),
    error,
  };
}

/** The number of contacts in a sentence. */
export function useAudienceText({ count, estimated }: Audience): string {
  const { t, i18n } = useTranslation();
  if (count === undefined) return t('broadcasts:counting');
  const number = new Intl.NumberFormat(i18n.language).format(count);
  return t(estimated ? 'broadcasts:aboutReached' : 'broadcasts:reached', { count, number });
}
