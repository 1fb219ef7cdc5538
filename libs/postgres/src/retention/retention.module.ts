import { PartitionedTable } from '#postgres/database';
import { DynamicModule, Global, Module } from '@nestjs/common';
import { Leftovers, Retention, RetentionWorker } from './retention.js';
import { OldDays, RetainedTables } from './old-days.js';
import { Purges } from './purge.js';

/** For every process: features register their purges even if this process does not run retention. */
@Global()
@Module({ providers: [Purges], exports: [Purges] })
export class PurgesModule {}

/** Runs retention. `tables` are the partitioned tables of all libs. */
@Module({})
export class RetentionModule {
  static forRoot(tables: readonly PartitionedTable[]): DynamicModule {
    return {
      module: RetentionModule,
      providers: [
        { provide: RetainedTables, useValue: new RetainedTables(tables) },
        OldDays,
        Leftovers,
        Retention,
        RetentionWorker,
      ],
    };
  }
}
