import { DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Pool, QueryResultRow } from 'pg';
import { DatabaseTransaction } from './database-transaction.js';
import { Database } from './database.js';
import type { SessionOptions } from './database.js';
import type { Standby } from './standby.js';
import type { Statement } from './statement.js';
import { readLimits, TimeLimits } from './time-limits.js';

/** SQLSTATE query_canceled: the statement reached its limit. */
const canceled = '57014';
/**
 * The part of the pool that reads may use. What they hold counts in the general share too, so that mail keeps its
 * quarter.
 */
const maxShare = 0.5;

/** The read reached the time limit of its statement. */
export class SlowReadError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'service_unavailable',
      'This takes too long to read. Narrow it, for example with a shorter period or more of a word, and try again.',
    );
  }
}

/**
 * The same pool for what requests search, count and list: with a share of its own, and with a time limit of seconds for
 * each statement. Nothing that accepts or delivers mail waits behind these reads. A standby, if there is one, answers them
 * in its place.
 */
@Injectable()
export class ReadDatabase extends Database {
  constructor(
    pool: Pool,
    sessions?: SessionOptions,
    general?: Database,
    private readonly standby?: Standby,
  ) {
    super(pool, sessions, maxShare, general);
  }

  override async query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    const limited = { limits: readLimits, ...statement };
    try {
      return (await this.standby?.query<Row>(limited)) ?? (await super.query<Row>(limited));
    } catch (error) {
      throw (error as { code?: unknown }).code === canceled ? new SlowReadError() : error;
    }
  }

  override async run<Result>(
    work: (transaction: DatabaseTransaction) => Promise<Result>,
    limits: TimeLimits = readLimits,
  ): Promise<Result> {
    try {
      return await super.run(work, limits);
    } catch (error) {
      throw (error as { code?: unknown }).code === canceled ? new SlowReadError() : error;
    }
  }
}
