import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables and views of this lib. */
export const feedbackSchema: OwnedSchema = {
  owner: 'feedback',
  tables: ['feedback_reports'],
  partitioned: [{ name: 'feedback_reports', storage: 'fillfactor = 100', history: 'emails' }],
  definitions: sqlDefinitions('feedback', import.meta.url, ['published-feedback-reports.view.sql']),
};
