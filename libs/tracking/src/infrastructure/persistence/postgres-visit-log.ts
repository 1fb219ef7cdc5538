import { GroupCommit } from '#kernel';
import { setTimeout as wait } from 'node:timers/promises';
import { EmailEngagements } from '#emails';
import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { VisitLog } from '../../application/ports/tracked-visits.port.js';
import { reasonOfTime } from '../../domain/machine-rules.js';
import { engagementOf, ObservedVisit } from '../../domain/observed-visit.js';

/** While the database is unreachable, visits are held and retried for this long. */
const maxRetryMs = 60_000;
const maxPauseMs = 2_000;
/** Visits held while the database is slow or unreachable: about 10 MB. */
const maxHeld = 20_000;

/** Writes opens and clicks in shared transactions. */
@Injectable()
export class PostgresVisitLog extends VisitLog {
  private readonly writer = new GroupCommit((visits: readonly ObservedVisit[]) => this.write(visits), {
    maxBatch: 256,
    concurrency: 1,
    gatherMs: 20,
  });

  private readonly held = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly lost: Counter;

  constructor(
    private readonly database: Database,
    private readonly engagements: EmailEngagements,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super();
    this.lost = metrics.counter('postrider_tracking_lost_total', 'Opens and clicks that could not be written');
  }

  add(visits: readonly ObservedVisit[]): void {
    for (const visit of visits) {
      if (this.held.size >= maxHeld) this.lost.inc();
      else this.hold(visit);
    }
  }

  async drain(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.held);
  }

  private hold(visit: ObservedVisit): void {
    const writing = this.record(visit).finally(() => this.held.delete(writing));
    this.held.add(writing);
  }

  private async record(visit: ObservedVisit): Promise<void> {
    const givesUpAt = performance.now() + maxRetryMs;
    for (let pause = 50; ; pause = Math.min(pause * 2, maxPauseMs)) {
      try {
        return await this.writer.submit(visit);
      } catch (error) {
        if (this.stopping.signal.aborted || performance.now() + pause > givesUpAt) return this.lose(visit, error);
        await wait(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private lose({ emailId, recipientNo, kind }: ObservedVisit, error: unknown): void {
    this.lost.inc();
    this.logger.warn({ error, emailId, recipientNo, kind }, 'an open or click could not be written');
  }

  private async write(visits: readonly ObservedVisit[]): Promise<{ value: void }[]> {
    await this.database.run(async (transaction) => {
      const unsuspected = visits.filter(({ reason }) => reason === undefined);
      const times = await this.engagements.deliveredAt(unsuspected, transaction);
      const deliveredAt = new Map(unsuspected.map((visit, index) => [visit, times[index]]));
      const judged = visits.map((visit) => ({
        ...visit,
        reason: visit.reason ?? reasonOfTime(visit.kind, visit.at, deliveredAt.get(visit)),
      }));
      await this.engagements.record(judged.map(engagementOf), transaction);
    });
    return visits.map(() => ({ value: undefined }));
  }
}
