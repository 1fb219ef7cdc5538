import { PartitionedTable } from '#platform/database';

/** Room on the page lets a row be updated where it is, without touching its indexes (HOT). */
const updatedLater = 'fillfactor = 75';

/** The tables whose partitions follow the day of an id. */
export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'emails', storage: updatedLater },
  { name: 'recipients', storage: updatedLater },
  { name: 'email_events', storage: 'fillfactor = 100' },
  { name: 'delivery_attempts', storage: 'fillfactor = 100' },
  // Bodies up to a page stay in their row; larger ones go to the side. Nothing is compressed: pglz costs more than it saves.
  { name: 'message_contents', storage: 'toast_tuple_target = 8160' },
  { name: 'request_logs', storage: 'fillfactor = 100' },
];

/** How far ahead partitions are made: a program that nobody restarts makes the next ones long before they are needed. */
export const partitionDaysAhead = 7;
