import { OwnedSchema } from '#platform/database';

/** Values up to a page stay in their row, larger ones go to the side: pglz costs more CPU than the room it saves. */
const wholeInTheRow = 'toast_tuple_target = 8160';

/** What this lib has in the database. */
export const requestLogsSchema: OwnedSchema = {
  owner: 'request-logs',
  tables: ['request_logs'],
  partitioned: [{ name: 'request_logs', storage: wholeInTheRow }],
};
