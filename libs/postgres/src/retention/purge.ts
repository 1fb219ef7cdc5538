import { Partition, Statement } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';

/**
 * Maximum number of rows that one statement of `Purge.leftovers` removes, so that it holds its locks only for
 * milliseconds.
 */
export const maxRemovedRows = 5_000;

export interface PurgeMoment {
  readonly now: Date;
  /** Start of the oldest day that is kept, `RETENTION_DAYS` days before today. */
  readonly cutoff: Date;
}

/**
 * Removes old data of a feature. Retention itself drops the partitions of tables in `OwnedSchema.partitioned`. A
 * feature provides its purge in a module that every process with the worker role has. All methods must be repeatable,
 * because a run may stop halfway.
 */
export abstract class Purge {
  constructor(purges: Purges) {
    purges.add(this);
  }

  /** The `PartitionedTable.history` whose days this purge decides on. Each history has exactly one. */
  readonly decidesOn: string | undefined = undefined;

  /**
   * Whether a day before the cutoff must be kept as a whole. Once it returns false it must always return false, because
   * the day is dropped. Statements of `session` have enough time to read the whole day.
   */
  async needsDay(_day: Date, _cutoff: Date, _session: ClientBase): Promise<boolean> {
    return false;
  }

  /** Removes data of a partition that is outside of the database. Where it throws, the partition is kept. */
  async beforeDrop(_partition: Partition): Promise<void> {}

  /**
   * Statements that remove old rows of tables without partitions, at most `maxRemovedRows` rows each. Each is repeated
   * until it removes fewer.
   */
  leftovers(_moment: PurgeMoment): readonly Statement[] {
    return [];
  }

  /** Removes old things that are not rows alone. */
  async removeOld(_moment: PurgeMoment): Promise<void> {}
}

/** The purges of all features of this process. */
@Injectable()
export class Purges {
  private readonly purges: Purge[] = [];

  get all(): readonly Purge[] {
    return this.purges;
  }

  add(purge: Purge): void {
    this.purges.push(purge);
  }

  /** The purge that decides on a history. Throws if there is none, so that no needed day is dropped. */
  decidingOn(history: string): Purge {
    const [purge, ...others] = this.purges.filter(({ decidesOn }) => decidesOn === history);
    if (purge === undefined || others.length > 0) {
      throw new Error(`The history ${history} needs exactly one purge that decides on its days`);
    }
    return purge;
  }
}
