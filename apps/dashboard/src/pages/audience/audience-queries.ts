import { queryOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';

export type Contact = Schema<'ContactSummaryResponse'>;
export type WholeContact = Schema<'ContactResponse'>;
export type Segment = Schema<'ListedSegmentResponse'>;
export type Topic = Schema<'TopicSummaryResponse'>;
export type Property = Schema<'ContactPropertySummaryResponse'>;
export type Import = Schema<'ContactImportResponse'>;

/** The first hundred, for choices. */
const choices = { params: { query: { limit: 100 } } } as const;

export const segmentsQuery = queryOptions({
  queryKey: ['segments', 'choices'],
  queryFn: async () => (await answer(api.GET('/segments', choices))).data,
});

/** What a choice says of a segment: its name, and its number of contacts or that it has a filter. */
export function useSegmentChoices(segments: readonly Segment[] | undefined): { value: string; label: string }[] {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  return (segments ?? []).map(({ id, name, contacts }) => {
    const about = contacts === null ? t('audience:segments.kinds.filter') : number.format(contacts);
    return { value: id, label: `${name} (${about})` };
  });
}

export const topicsQuery = queryOptions({
  queryKey: ['topics', 'choices'],
  queryFn: async () => (await answer(api.GET('/topics', choices))).data,
});

export const propertiesQuery = queryOptions({
  queryKey: ['properties', 'choices'],
  queryFn: async () => (await answer(api.GET('/contact-properties', choices))).data,
});

export function nameOfContact({ first_name: first, last_name: last }: Contact): string {
  return [first, last].filter((part) => part !== null && part !== '').join(' ');
}
