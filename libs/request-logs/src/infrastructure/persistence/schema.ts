import { OwnedSchema, unchanging, unsampled } from '#postgres/database';

/**
 * Values up to one page stay in their row, larger ones go to TOAST: compressing with pglz costs more CPU than it saves
 * space.
 */
const inRowUpToOnePage = `toast_tuple_target = 8160, ${unchanging}, ${unsampled}`;

/** The tables of this lib. */
export const requestLogsSchema: OwnedSchema = {
  owner: 'request-logs',
  tables: ['request_logs'],
  partitioned: [{ name: 'request_logs', storage: inRowUpToOnePage }],
};
