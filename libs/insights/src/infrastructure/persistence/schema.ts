import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables, functions and triggers of this lib. */
export const insightsSchema: OwnedSchema = {
  owner: 'insights',
  tables: ['email_counters', 'provider_counts', 'provider_hours'],
  definitions: sqlDefinitions('insights', import.meta.url, [
    'published-email-counts.view.sql',
    'first-human-engagements.function.sql',
    'count-email-events.function.sql',
    'count-email-events.trigger.sql',
    'count-received-emails.function.sql',
    'count-received-emails.trigger.sql',
    'count-unsubscribes.function.sql',
    'count-unsubscribes.trigger.sql',
  ]),
};
