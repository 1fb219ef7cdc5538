/** The tables whose partitions follow the day of an email's id. */
export const partitionedTables = ['emails', 'recipients', 'email_events', 'delivery_attempts', 'message_contents'];

/** How far ahead partitions are made: a program that nobody restarts makes the next ones long before they are needed. */
export const partitionDaysAhead = 7;
