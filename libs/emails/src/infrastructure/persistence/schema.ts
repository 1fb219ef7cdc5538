import { OwnedSchema, sqlDefinitions, unchanging, unsampled } from '#postgres/database';

/**
 * Free space on the page lets PostgreSQL update a row in place, without touching its indexes (HOT). In a burst all rows
 * of a page are updated before the first old version can be removed. With a fillfactor of 75 a third of the updates of
 * `emails` left their page, with 50 none did.
 */
const updatedLater = 'fillfactor = 50';

/**
 * Keeps values up to the size of a page in their row, and stores larger ones outside. Compressing them with pglz costs
 * more CPU than the space is worth.
 */
const wholeInTheRow = `toast_tuple_target = 8160, ${unchanging}, ${unsampled}`;

/** The tables and views that this lib owns. */
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
