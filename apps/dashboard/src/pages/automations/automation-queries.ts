import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '../../api/client';

export type Automation = Schema<'ListedAutomationResponse'>;
export type EventDefinition = Schema<'EventSummaryResponse'>;
export type Run = Schema<'AutomationRunSummaryResponse'>;
export type AutomationMetrics = Schema<'AutomationMetricsResponse'>;
export type RunStep = Schema<'AutomationRunResponse'>['steps'][number];

/** The first hundred, for choices. */
export const eventsQuery = queryOptions({
  queryKey: ['events', 'choices'],
  queryFn: async () => (await answer(api.GET('/events', { params: { query: { limit: 100 } } }))).data,
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

export const broadcastsQuery = queryOptions({
  queryKey: ['broadcasts', 'choices'],
  queryFn: async () => (await answer(api.GET('/broadcasts', { params: { query: { limit: 100 } } }))).data,
});

/** What can start a run, by the word for it here. `custom` is an event of the team, whose name is free. */
export const triggerKinds: Readonly<Record<string, string | undefined>> = {
  custom: undefined,
  contact_created: 'resend:contact.created',
  segment_entered: 'resend:segment.entered',
  topic_subscribed: 'resend:topic.subscribed',
  contact_date: 'resend:contact.date',
  email_opened: 'resend:email.opened',
  email_clicked: 'resend:email.clicked',
  email_delivered: 'resend:email.delivered',
  email_bounced: 'resend:email.bounced',
  email_complained: 'resend:email.complained',
  email_received: 'resend:email.received',
};

export function triggerWord(eventName: string): string {
  return Object.keys(triggerKinds).find((word) => triggerKinds[word] === eventName && eventName !== '') ?? 'custom';
}

const numbersEveryMs = 5_000;

/** How many contacts went where, counted again while the page is looked at. */
export const metricsQuery = (id: string) =>
  queryOptions({
    queryKey: ['automation', id, 'metrics'],
    queryFn: () => answer(api.GET('/automations/{id}/metrics', { params: { path: { id } } })),
    refetchInterval: numbersEveryMs,
  });
