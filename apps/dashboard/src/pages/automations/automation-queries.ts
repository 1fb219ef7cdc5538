import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '../../api/client';

export type Automation = Schema<'AutomationSummaryResponse'>;
export type EventDefinition = Schema<'EventSummaryResponse'>;
export type Run = Schema<'AutomationRunSummaryResponse'>;
export type RunStep = Schema<'AutomationRunResponse'>['steps'][number];

/** The first hundred, for choices. */
export const eventsQuery = queryOptions({
  queryKey: ['events', 'choices'],
  queryFn: async () => (await answer(api.GET('/events', { params: { query: { limit: 100 } } }))).data,
});

export const templatesQuery = queryOptions({
  queryKey: ['templates', 'choices'],
  queryFn: async () => (await answer(api.GET('/templates', { params: { query: { limit: 100 } } }))).data,
});

export const automationQuery = (id: string) =>
  queryOptions({
    queryKey: ['automation', id],
    queryFn: () => answer(api.GET('/automations/{id}', { params: { path: { id } } })),
    refetchOnWindowFocus: false,
  });

/** What happened to an email of the run: events of the service, for which a run can wait. */
export const emailEvents = ['opened', 'clicked', 'delivered', 'bounced', 'complained', 'failed', 'suppressed'].map(
  (name) => `resend:email.${name}`,
);
