import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables, functions and triggers of this lib. */
export const liveSchema: OwnedSchema = {
  owner: 'live',
  tables: ['live_watches', 'live_changes'],
  definitions: sqlDefinitions('live', import.meta.url, [
    'tell-live-of-email-events.function.sql',
    'tell-live-of-team-events.function.sql',
    'tell-live.trigger.sql',
    'tell-live-of-broadcasts.function.sql',
    'tell-live-of-broadcasts.trigger.sql',
    'tell-live-of-editor.function.sql',
    'tell-live-of-cursors.function.sql',
    'tell-live-of-editor.trigger.sql',
  ]),
};
