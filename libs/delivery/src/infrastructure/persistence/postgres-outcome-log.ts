import { Clock } from '#kernel';
import { Database, GroupCommit } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { OutcomeLog } from '../../application/ports/outcome-log.port.js';
import { SettleAttempts } from '../../application/settle-attempts.js';
import { FinishedAttempt } from '../../domain/finished-attempt.js';
import { OutcomeObserver } from '../outcome-observer.js';
import { UnwrittenOutcomes } from './unwritten-outcomes.js';

/** Groups the ends of attempts into shared transactions. What is written in them is the story of `SettleAttempts`. */
@Injectable()
export class PostgresOutcomeLog extends OutcomeLog {
  private readonly writer = new GroupCommit((attempts: readonly FinishedAttempt[]) => this.write(attempts), {
    maxBatch: 256,
    concurrency: 1,
    gatherMs: 10,
  });

  constructor(
    private readonly database: Database,
    private readonly settle: SettleAttempts,
    private readonly clock: Clock,
    private readonly unwritten: UnwrittenOutcomes,
    private readonly observer: OutcomeObserver,
  ) {
    super();
  }

  record(attempt: FinishedAttempt): Promise<void> {
    return this.unwritten.keep(attempt, (form) => this.writer.submit(form));
  }

  private async write(attempts: readonly FinishedAttempt[]): Promise<{ value: void }[]> {
    const now = this.clock.now();
    const settled = await this.unwritten.writeBatch(() =>
      this.database.run((transaction) => this.settle.execute(attempts, now, transaction)),
    );
    this.observer.committed(attempts.length, settled, now);
    return attempts.map(() => ({ value: undefined }));
  }
}
