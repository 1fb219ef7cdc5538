import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables and views of this lib. */
export const automationsSchema: OwnedSchema = {
  owner: 'automations',
  tables: [
    'custom_events',
    'custom_event_occurrences',
    'automations',
    'automation_versions',
    'automation_triggers',
    'automation_runs',
    'automation_run_steps',
    'automation_usage',
    'automation_entries',
    'automation_daily_emails',
    'automation_date_triggers',
    'automation_dates',
    'automation_changed_contacts',
    'automation_watched_segments',
    'automation_segment_members',
    'automation_caused_changes',
  ],
  definitions: sqlDefinitions('automations', import.meta.url, [
    'published-automation-usage.view.sql',
    'published-automation-routes.view.sql',
    'automation-event-id.function.sql',
    'automation-depth.function.sql',
    'automation-address.function.sql',
    'tell-automations-of-contacts.function.sql',
    'tell-automations-of-values.function.sql',
    'tell-automations-of-members.function.sql',
    'tell-automations-of-topics.function.sql',
    'tell-automations-of-received.function.sql',
    'tell-automations-of-routes.function.sql',
    'tell-automations.trigger.sql',
  ]),
};
