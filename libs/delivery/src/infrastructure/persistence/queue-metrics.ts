import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { Injectable } from '@nestjs/common';

type State = 'fresh' | 'retry' | 'paused';
interface StateRow extends Record<string, unknown> {
  readonly state: State;
  readonly recipients: number;
  readonly oldestSeconds: number;
}

const states: readonly State[] = ['fresh', 'retry', 'paused'];
/** Recipients examined, those accepted first. Up to this number the figures are exact, beyond it they are estimated. */
const lookedAt = 10_000;
/** Minimum interval between two readings of the queue. */
const freshForMs = 5_000;

/**
 * The queue as gauges: `fresh` was never tried, `retry` was tried, `paused` waits because its site is down. Reads a
 * bounded part of the queue and extrapolates if the queue is longer. It takes about 15 ms, however many millions
 * wait.
 */
@Injectable()
export class QueueMetrics {
  private rows: readonly StateRow[] = [];
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge('postrider_queue_recipients', 'Recipients still to be delivered', {
      labels: ['state'],
      read: async (gauge) => {
        await this.refresh();
        for (const state of states) gauge.set({ state }, this.rowOf(state)?.recipients ?? 0);
      },
    });
    metrics.gauge('postrider_queue_oldest_age_seconds', 'How long the recipient queued first has been waiting', {
      labels: ['state'],
      read: async (gauge) => {
        await this.refresh();
        for (const state of states) gauge.set({ state }, this.rowOf(state)?.oldestSeconds ?? 0);
      },
    });
  }

  private rowOf(state: State): StateRow | undefined {
    return this.rows.find((row) => row.state === state);
  }

  private refresh(): Promise<void> {
    if (this.reading === undefined && performance.now() - this.readAt < freshForMs) return Promise.resolve();
    return (this.reading ??= this.read().finally(() => (this.reading = undefined)));
  }

  /**
   * If the database is away, the last figures are reported, so that the other metrics of the process remain readable.
   */
  private async read(): Promise<void> {
    this.readAt = performance.now();
    try {
      this.rows = await this.database.query<StateRow>({
        name: 'queue-metrics',
        text: `
          WITH looked_at AS MATERIALIZED (
            SELECT lane, due_at, queued_at FROM outbound_queue ORDER BY email_id, recipient_no LIMIT ${lookedAt}
          ), paused AS MATERIALIZED (
            SELECT lane FROM lane_pauses LIMIT ${lookedAt}
          ), counted AS (
            SELECT CASE WHEN lane IN (SELECT lane FROM paused) THEN 'paused'
                        WHEN due_at > queued_at THEN 'retry' ELSE 'fresh' END AS state,
                   count(*) AS recipients, min(queued_at) AS oldest
            FROM looked_at GROUP BY 1
          ), size AS (
            SELECT CASE WHEN count(*) < ${lookedAt} THEN 1 ELSE greatest(1, (
              SELECT reltuples FROM pg_class WHERE oid = 'outbound_queue'::regclass) / ${lookedAt}) END AS factor
            FROM looked_at
          )
          SELECT state, round(recipients * factor)::float8 AS recipients,
                 greatest(0, extract(epoch FROM now() - oldest))::float8 AS "oldestSeconds"
          FROM counted, size`,
      });
    } catch (error) {
      this.logger.warn({ error }, 'the length of the queue could not be read');
    }
  }
}
