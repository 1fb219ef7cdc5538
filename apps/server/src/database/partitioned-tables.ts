import { PartitionedTable } from '#platform/database';

/**
 * Room on the page lets a row be updated where it is, without touching its indexes (HOT). In a burst every row of a page is
 * updated before the first old version can go: at 75 a third of the updates of `emails` left their page, at 50 none did.
 */
const updatedLater = 'fillfactor = 50';

/** Values up to a page stay in their row, larger ones go to the side: pglz costs more CPU than the room it saves. */
const wholeInTheRow = 'toast_tuple_target = 8160';

/** The tables whose partitions follow the day of an id. Retention drops a day in this order: first nobody finds the email. */
export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'emails', storage: updatedLater, ofEmails: true },
  { name: 'message_contents', storage: wholeInTheRow, ofEmails: true },
  { name: 'email_events', storage: 'fillfactor = 100', ofEmails: true },
  { name: 'delivery_attempts', storage: 'fillfactor = 100', ofEmails: true },
  { name: 'feedback_reports', storage: 'fillfactor = 100', ofEmails: true },
  { name: 'recipients', storage: updatedLater, ofEmails: true },
  { name: 'request_logs', storage: wholeInTheRow },
  { name: 'team_events', storage: 'fillfactor = 100' },
  { name: 'webhook_messages', storage: updatedLater },
  { name: 'webhook_attempts', storage: 'fillfactor = 100' },
];

/** How far ahead partitions are made: a program that nobody restarts makes the next ones long before they are needed. */
export const partitionDaysAhead = 7;
