import { OwnedSchema, sqlDefinitions } from '#platform/database';

/**
 * Room on the page lets a row be updated where it is, without touching its indexes (HOT). In a burst every row of a page is
 * updated before the first old version can go: at 75 a third of the updates of `emails` left their page, at 50 none did.
 */
const updatedLater = 'fillfactor = 50';

/** Values up to a page stay in their row, larger ones go to the side: pglz costs more CPU than the room it saves. */
const wholeInTheRow = 'toast_tuple_target = 8160';

/** What this lib has in the database. */
export const emailsSchema: OwnedSchema = {
  owner: 'emails',
  tables: ['emails', 'message_contents', 'email_events', 'recipients', 'scheduled_emails'],
  partitioned: [
    { name: 'emails', storage: updatedLater, history: 'emails' },
    { name: 'message_contents', storage: wholeInTheRow, history: 'emails' },
    { name: 'email_events', storage: 'fillfactor = 100', history: 'emails' },
    { name: 'recipients', storage: updatedLater, history: 'emails' },
  ],
  definitions: sqlDefinitions('emails', import.meta.url, [
    'published-emails.view.sql',
    'published-recipients.view.sql',
    'published-email-events.view.sql',
    'published-scheduled-emails.view.sql',
  ]),
  observable: ['email_events'],
};
