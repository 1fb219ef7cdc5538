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
  ],
  definitions: sqlDefinitions('automations', import.meta.url, ['published-automation-usage.view.sql']),
};
