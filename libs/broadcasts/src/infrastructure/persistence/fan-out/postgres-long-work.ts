import { Transaction } from '#kernel';
import { Database, longLimits } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { LongWork } from '../../../application/ports/long-work.port.js';

@Injectable()
export class PostgresLongWork extends LongWork {
  constructor(private readonly database: Database) {
    super();
  }

  run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.database.run(work, longLimits);
  }
}
