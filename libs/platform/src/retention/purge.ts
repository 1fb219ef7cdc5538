import { Partition, Statement } from '#platform/database';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';

/** Rows that one statement of `Purge.leftovers` removes at most. None of them holds its locks for more than milliseconds. */
export const maxRemovedRows = 5_000;

export interface PurgeMoment {
  readonly now: Date;
  /** Start of the oldest day that is kept: `RETENTION_DAYS` whole days lie between it and today. */
  readonly cutoff: Date;
}

/**
 * What a feature knows about the removal of its old data. The tables that are partitioned by day are dropped without it,
 * from what `OwnedSchema.partitioned` says. A feature provides its purge in a module that every process with the worker role
 * has. All of it may be asked again at any time, since a run may stop halfway.
 */
export abstract class Purge {
  constructor(purges: Purges) {
    purges.add(this);
  }

  /** The `PartitionedTable.history` whose days this purge decides on. Each history has exactly one. */
  readonly decidesOn: string | undefined = undefined;

  /**
   * Whether a day that is past its time stays, as a whole. Once the answer is no it must stay no: the day is dropped.
   * `session` has time to read the whole day.
   */
  async needsDay(_day: Date, _cutoff: Date, _session: ClientBase): Promise<boolean> {
    return false;
  }

  /** Removes what belongs to a partition and lies outside of the database. Where it throws, the partition stays. */
  async beforeDrop(_partition: Partition): Promise<void> {}

  /**
   * Statements that remove what has outlived its use and is in no partition, each `maxRemovedRows` rows at most. Each is
   * repeated until it removes fewer.
   */
  leftovers(_moment: PurgeMoment): readonly Statement[] {
    return [];
  }
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

  /** Throws where nobody decides, rather than let days be dropped that somebody needs. */
  decidingOn(history: string): Purge {
    const [purge, ...others] = this.purges.filter(({ decidesOn }) => decidesOn === history);
    if (purge === undefined || others.length > 0) {
      throw new Error(`The history ${history} needs exactly one purge that decides on its days`);
    }
    return purge;
  }
}
