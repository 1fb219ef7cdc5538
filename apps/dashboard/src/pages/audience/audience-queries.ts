import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '../../api/client';

export type Contact = Schema<'ContactSummaryResponse'>;
export type WholeContact = Schema<'ContactResponse'>;
export type Segment = Schema<'SegmentSummaryResponse'>;
export type Topic = Schema<'TopicSummaryResponse'>;
export type Property = Schema<'ContactPropertySummaryResponse'>;
export type Import = Schema<'ContactImportResponse'>;

/** The first hundred, for choices. */
const choices = { params: { query: { limit: 100 } } } as const;

export const segmentsQuery = queryOptions({
  queryKey: ['segments', 'choices'],
  queryFn: async () => (await answer(api.GET('/segments', choices))).data,
});

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
