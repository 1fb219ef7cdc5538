import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const inboxesSchema: OwnedSchema = {
  owner: 'inboxes',
  tables: [
    'inboxes',
    'inbox_labels',
    'inbox_threads',
    'inbox_emails',
    'inbox_arrivals',
    'inbox_removals',
    'inbox_drafts',
    'inbox_draft_attachments',
  ],
  definitions: sqlDefinitions('inboxes', import.meta.url, [
    'published-inboxes.view.sql',
    'published-inbox-threads.view.sql',
    'file-received-emails.function.sql',
    'file-received-emails.trigger.sql',
    'count-unread-threads.function.sql',
    'count-unread-threads.trigger.sql',
    'note-removed-inboxes.function.sql',
    'note-removed-inboxes.trigger.sql',
  ]),
};
