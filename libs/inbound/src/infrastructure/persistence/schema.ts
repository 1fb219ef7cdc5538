import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/**
 * The tables of this lib. The history is that of the emails: their contents are in the same message store, dropped by
 * the day.
 */
export const inboundSchema: OwnedSchema = {
  owner: 'inbound',
  tables: ['received_emails', 'received_work', 'received_receipts', 'received_threads', 'received_unused_contents'],
  partitioned: [{ name: 'received_emails', storage: 'fillfactor = 100', history: 'emails' }],
  observable: ['received_emails'],
  definitions: sqlDefinitions('inbound', import.meta.url, ['published-received-emails.view.sql']),
};
