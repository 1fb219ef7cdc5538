export { Broadcast } from './broadcast.js';
export { DailyPartitions, partitionName } from './daily-partitions.js';
export type { PartitionedTable } from './daily-partitions.js';
export { Database, DatabaseTransaction, statementsOf } from './database.js';
export type { Statement } from './database.js';
export { DatabaseModule } from './database.module.js';
export { keysetCondition } from './keyset.js';
export { GroupCommit } from './group-commit.js';
export type { GroupCommitOptions, ItemResult } from './group-commit.js';
