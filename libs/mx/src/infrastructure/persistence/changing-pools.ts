import { Database, DatabaseTransaction, lockName, ProcessNotifications } from '#postgres/database';

/** Name of the notification that addresses, pools or their uses have changed. */
export const poolsChanged = 'sending_pools';

/** One change after the other, over all processes. The workers are told when it is committed. */
export function changingPools<Result>(
  database: Database,
  notifications: ProcessNotifications,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return database.run(async (transaction) => {
    await lockName('sending pools', transaction);
    const result = await work(transaction);
    await notifications.send(poolsChanged, '', transaction);
    return result;
  });
}
