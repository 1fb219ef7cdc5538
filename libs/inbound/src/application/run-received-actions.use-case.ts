import { changeCount, Clock, timeOfId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ActionOutcome, ReceivedMailActions } from './ports/inbound-routing.port.js';
import { ReceivedEmails } from './ports/received-emails.port.js';
import { DueWork, ReceivedWork } from './ports/received-work.port.js';

const leaseMs = 5 * 60_000;
/** A run that takes long keeps its lease: nobody else may do the same at the same time. */
const renewEveryMs = leaseMs / 3;
/** Runs of one process at once, and those of one team. A run waits for hosts and for memory, for seconds. */
export const maxRuns = 32;
const maxRunsOfTeam = 8;
/** Pauses after failures; the last one is repeated. */
const pausesMs = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];
/** As long as other servers retry (RFC 5321 section 4.5.4.1). */
const giveUpAfterMs = 5 * 24 * 60 * 60_000;

/** Runs the actions of emails that were received, as soon as they are due. */
@Injectable()
export class RunReceivedActions {
  private readonly runsOf = new Map<string, number>();

  constructor(
    private readonly work: ReceivedWork,
    private readonly emails: ReceivedEmails,
    private readonly actions: ReceivedMailActions,
    private readonly clock: Clock,
  ) {}

  /** Takes due work for free places of this process. Each team keeps to its part of all places. */
  claim(limit: number): Promise<readonly DueWork[]> {
    const now = this.clock.now();
    const places = { limit, maxPerTeam: maxRunsOfTeam, held: this.runsOf };
    return this.work.take(now, new Date(now.getTime() + leaseMs), places);
  }

  /** Returns the last reason if the actions are given up. */
  async run(work: DueWork): Promise<string | undefined> {
    changeCount(this.runsOf, work.teamId, 1);
    try {
      return await this.ended(work, await this.holding(work.emailId, () => this.outcomeOf(work)));
    } finally {
      changeCount(this.runsOf, work.teamId, -1);
    }
  }

  private async ended({ emailId, failures }: DueWork, outcome: ActionOutcome): Promise<string | undefined> {
    if (outcome.kind === 'done') {
      await this.work.done(emailId);
      return undefined;
    }
    const now = this.clock.now().getTime();
    if (outcome.kind === 'more') {
      await this.work.later(emailId, new Date(now), 'There is more to do');
      return undefined;
    }
    if (now - timeOfId(emailId).getTime() > giveUpAfterMs) {
      await this.work.done(emailId);
      return outcome.reason;
    }
    if (outcome.kind === 'waiting') {
      await this.work.later(emailId, new Date(now + outcome.afterMs), outcome.reason);
      return undefined;
    }
    const pauseMs = Math.max(pausesMs[Math.min(failures, pausesMs.length - 1)] as number, outcome.afterMs ?? 0);
    await this.work.failed(emailId, new Date(now + pauseMs), outcome.reason);
    return undefined;
  }

  /** No renewal comes after the end, when the row is due at another time. */
  private async holding<T>(emailId: string, run: () => Promise<T>): Promise<T> {
    let renewal: Promise<unknown> = Promise.resolve();
    // oxlint-disable-next-line no-restricted-globals -- it ends with the run, which the program waits for
    const timer = setInterval(() => {
      const until = new Date(this.clock.now().getTime() + leaseMs);
      renewal = this.work.renew(emailId, until).catch(() => undefined);
    }, renewEveryMs);
    try {
      return await run();
    } finally {
      clearInterval(timer);
      await renewal;
    }
  }

  private async outcomeOf({ emailId, isAnnounced }: DueWork): Promise<ActionOutcome> {
    try {
      const email = await this.emails.findAny(emailId);
      // Erased or past its retention: there is nothing left to do it with.
      return email === undefined ? { kind: 'done' } : await this.actions.run(email, isAnnounced);
    } catch (error) {
      return { kind: 'later', reason: error instanceof Error ? error.message : String(error) };
    }
  }
}
