/**
 * How runs go through the steps of their automations.
 *
 * One transaction claims a slice of runs that are due, does the next steps of each (`AdvanceSlice`), and writes what
 * became of them. A run is due at once after it has begun, when a delay or the timeout of a wait is over, when the event
 * has come that it waited for, and when it has reached a goal.
 *
 * What a step changes commits together with its outcome. A step that is refused fails, and its run with it. A lack of
 * room or of quota postpones the step.
 */
import { Clock, DomainError, isDatabaseTrouble, LastStatements, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Run } from '../domain/run.js';
import { AdvanceSlice } from './advance-slice.js';
import { DoEffects } from './do-effects.js';
import { DueRun, RunQueue } from './ports/run-queue.port.js';
import { stepOf } from './step-outcome.js';

/** Runs of one transaction: many enough to be efficient, few enough to finish in some tens of milliseconds. */
const runsAtOnce = 100;
/**
 * The same while this process accepts other mail, which waits while this thread works on a slice. Slices of 25 made 1,810
 * steps/s beside full single sends, and those of 50 with longer rests 2,410 at a lower p99 of the sends.
 */
const runsAtOnceBesideOthers = 50;
/** When a run is tried again after something unexpected. */
const troubledMs = 60_000;
/** Unexpected errors in a row after which a run fails. */
const maxTroubles = 5;

/** Does the steps of runs that are due. */
@Injectable()
export class AdvanceRuns {
  constructor(
    private readonly queue: RunQueue,
    private readonly slice: AdvanceSlice,
    private readonly effects: DoEffects,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Whether other mail is accepted beside the runs. Then they leave it time. */
  get isOtherMailComing(): boolean {
    return this.effects.isOtherMailComing;
  }

  /** Does the next steps of a slice of runs. Returns how many runs there were. */
  async step(): Promise<number> {
    let claimed: readonly DueRun[] = [];
    const limit = this.isOtherMailComing ? runsAtOnceBesideOthers : runsAtOnce;
    try {
      await this.advance(async (now, transaction) => (claimed = await this.queue.claim(now, limit, transaction)));
    } catch (error) {
      if (isDatabaseTrouble(error) || claimed.length === 0) throw error;
      await this.oneByOne(claimed);
    }
    return claimed.length;
  }

  /** Nothing of the slice was written. Each run has a transaction of its own now, so that only the culprit is kept back. */
  private async oneByOne(runs: readonly DueRun[]): Promise<void> {
    for (const { run } of runs) {
      try {
        await this.advance((now, transaction) => this.queue.claim(now, 1, transaction, run.id));
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error;
        await this.keepBack(run, error);
      }
    }
  }

  private async keepBack(run: Run, error: unknown): Promise<void> {
    const now = this.clock.now().getTime();
    if (error instanceof DomainError) {
      this.effects.refuse(run.teamId, error.message);
      return;
    }
    const troubles = await this.queue.trouble(run.id, new Date(now + troubledMs));
    if (troubles < maxTroubles) throw error;
    await this.work.run(async (transaction) => {
      const [due] = await this.queue.claim(new Date(now + troubledMs), 1, transaction, run.id);
      if (due === undefined) return;
      const failed = {
        status: 'failed',
        error: 'Something unexpected happened. The log of the service has the details.',
      } as const;
      const steps = due.run.stepKey === null ? [] : [stepOf(due, due.run.stepKey, failed, this.clock.now())];
      const ended = { run: due.run, steps, passed: [], next: { status: 'failed' as const } };
      await this.queue.record([ended], this.clock.now(), transaction);
    });
    throw error;
  }

  private async advance(claim: (now: Date, transaction: Transaction) => Promise<readonly DueRun[]>): Promise<void> {
    const announce = await this.work.runPipelined(async (transaction): Promise<LastStatements<() => void>> => {
      const due = await claim(this.clock.now(), transaction);
      return due.length === 0 ? { send: async () => () => undefined } : this.slice.advance(due, transaction);
    });
    announce();
  }
}
