import { Clock, isDatabaseTrouble } from '#kernel';
import { Logger } from '#observability/logging';
import { Timers, withinStop } from '#platform/timers';
import { Database } from '#postgres/database';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';

const lookEveryMs = 250;
/** After this long, work begins even if the look finds none, so that a wrong condition causes no more than a delay. */
const longestRestMs = 30_000;
/** After this long, every worker begins without the answer, so that one slow table holds up no other worker. */
const patienceMs = 1_000;

interface Searched {
  readonly task: string;
  readonly pauseMs: number;
  readonly work: () => Promise<unknown>;
  running?: Promise<void>;
  /** Times of `performance.now()`: it is not begun before the first, and begun after the second in any case. */
  earliest: number;
  latest: number;
}

/**
 * Begins work that waits in tables when there is some. Each worker says by which rows it sees that, and one statement looks
 * for those of all workers of the process, so that an idle one asks PostgreSQL four times a second instead of forty. (A
 * worker's own search, which locks what it finds in a transaction, costs 0.7 ms of the main thread and 0.5 of PostgreSQL.)
 */
@Injectable()
export class WorkSearch implements BeforeApplicationShutdown {
  private readonly searched: Searched[] = [];
  private readonly conditions: string[] = [];
  private asked: Promise<readonly (boolean | null)[] | undefined> | undefined;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Begins work when there is some, at the earliest `pauseMs` after it has ended, and never twice at once. A failure is
   * logged, and the work is begun again. A stop waits for running work, up to 10 s.
   *
   * @param task completes the log message "… failed".
   * @param found SQL: a condition that is true whenever there is work, and may be true when there is none; $1 is the time of
   *   the clock. It must take one look into an index, however much waits or was removed: `(SELECT min(due_at) FROM …) <= $1`
   *   does. `EXISTS (SELECT FROM …)` may read the whole table, because PostgreSQL expects to find a row at once.
   */
  every(pauseMs: number, task: string, found: string, work: () => Promise<unknown>): void {
    const first = performance.now() + pauseMs;
    this.conditions.push(found);
    this.searched.push({ task, pauseMs, work, earliest: first, latest: first });
    if (this.searched.length === 1) this.timers.every(lookEveryMs, 'looking for work', () => this.look());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await withinStop(Promise.all(this.searched.flatMap(({ running }) => running ?? [])));
  }

  private async look(): Promise<void> {
    const now = performance.now();
    const resting = this.searched.filter(({ running, earliest }) => running === undefined && earliest <= now);
    if (resting.length === 0) return;
    const found = await this.found();
    if (this.isStopping) return;
    const due = resting.filter((one) => found === undefined || found[this.searched.indexOf(one)] === true);
    // One at a time, so that an idle process keeps to one connection.
    const overdue = resting.find((one) => one.latest <= now && !due.includes(one));
    for (const one of overdue === undefined ? due : [...due, overdue]) this.begin(one);
  }

  /** For each work, whether there is some. Undefined: that could not be seen, and each worker looks by itself. */
  private found(): Promise<readonly (boolean | null)[] | undefined> {
    this.asked ??= this.ask().finally(() => (this.asked = undefined));
    const tooLong = new Promise<void>((resolve) => void setTimeout(resolve, patienceMs).unref());
    return Promise.race([this.asked, tooLong.then(() => undefined)]);
  }

  private async ask(): Promise<readonly (boolean | null)[] | undefined> {
    try {
      const [row] = await this.database.query<{ found: (boolean | null)[] }>({
        name: `work-search-${this.conditions.length}`,
        text: `SELECT ARRAY[${this.conditions.join(', ')}] AS found WHERE $1::timestamptz IS NOT NULL`,
        values: [this.clock.now()],
      });
      return row?.found;
    } catch (error) {
      if (!isDatabaseTrouble(error))
        this.logger.error({ error }, 'a look for work failed; each worker looks by itself');
      return undefined;
    }
  }

  private begin(one: Searched): void {
    one.running = one
      .work()
      .then(
        () => undefined,
        (error: unknown) => this.logger.warn({ error }, `${one.task} failed; it is tried again`),
      )
      .then(() => {
        one.running = undefined;
        const endedAt = performance.now();
        one.earliest = endedAt + one.pauseMs;
        one.latest = endedAt + longestRestMs;
      });
  }
}
