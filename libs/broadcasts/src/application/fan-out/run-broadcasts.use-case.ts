import { SendMailing } from '#emails';
import { Clock, DomainError, isDatabaseTrouble } from '#kernel';
import { Injectable } from '@nestjs/common';
import { PauseReason, reasonOfRefusal } from '../../domain/fan-out/skip-reasons.js';
import { BroadcastRuns, BroadcastWork } from '../ports/broadcast-runs.port.js';
import { DecideRest } from './decide-rest.use-case.js';
import { FixAudience } from './fix-audience.use-case.js';
import { SendSlice } from './send-slice.use-case.js';

/**
 * Emails of one transaction: many enough to be efficient, few enough to finish in some tens of milliseconds, so that single mail
 * does not wait for them, and neither does a pause.
 */
export const sliceSize = 250;
/** The same while this process accepts other mail, which waits for this thread as long as it makes the emails of a slice. */
export const sliceSizeBesideOthers = 50;
/** Unexpected errors in a row after which a broadcast pauses. */
const maxTroubles = 10;
/** The longest rest between two steps. */
const maxRestMs = 200;
/** After this time a broadcast whose domain was not verified is tried again. */
const retryDomainMs = 5 * 60_000;

/** Works on the broadcasts of all teams, a step at a time, so that they take turns. */
@Injectable()
export class RunBroadcasts {
  /** Smaller slices of broadcasts that have come near to a quota, by broadcast. */
  private readonly limits = new Map<string, number>();
  private isStopping = false;

  constructor(
    private readonly runs: BroadcastRuns,
    private readonly fixAudience: FixAudience,
    private readonly sendSlice: SendSlice,
    private readonly decideRest: DecideRest,
    private readonly sendMailing: SendMailing,
    private readonly clock: Clock,
  ) {}

  /** Does one thing for the broadcast whose turn it is. False where there is nothing to do now. */
  async step(): Promise<boolean> {
    if (this.isStopping) return false;
    for (const work of await this.runs.next(this.clock.now())) {
      if (await this.tried(work)) return true;
    }
    return false;
  }

  /**
   * How long to rest after a step that took this long: as long, where this process accepts other mail at the same time, which would
   * otherwise wait for this thread and for PostgreSQL behind one slice after the other.
   */
  restMs(tookMs: number): number {
    return this.sendMailing.isOtherMailComing ? Math.min(tookMs, maxRestMs) : 0;
  }

  /** Resumes what has paused itself for a time. */
  resumeHeld(): Promise<number> {
    return this.runs.resumeHeld(this.clock.now());
  }

  /** Steps end after the present one. */
  stop(): void {
    this.isStopping = true;
  }

  private get usualSize(): number {
    return this.sendMailing.isOtherMailComing ? sliceSizeBesideOthers : sliceSize;
  }

  private async tried(work: BroadcastWork): Promise<boolean> {
    try {
      return await this.done(work);
    } catch (error) {
      if (error instanceof DomainError) return this.refused(work, error);
      if (isDatabaseTrouble(error)) throw error;
      if ((await this.runs.trouble(work.broadcastId, this.clock.now())) >= maxTroubles) {
        await this.runs.pause(work.broadcastId, 'unexpected_fault', null, this.clock.now());
      }
      throw error;
    }
  }

  private async done(work: BroadcastWork): Promise<boolean> {
    switch (work.kind) {
      case 'plan':
        return this.fixAudience.execute(work);
      case 'slice':
        if (await this.decideRest.hold(work)) return true;
        return this.sendSlice.execute(work, Math.min(this.limits.get(work.broadcastId) ?? sliceSize, this.usualSize));
      case 'decide':
        return this.decideRest.execute(work);
      case 'finish':
        this.limits.delete(work.broadcastId);
        return this.runs.finish(work.broadcastId, this.clock.now());
    }
  }

  /** Nothing of the slice was accepted. What remains of a quota is used up before the broadcast pauses. */
  private async refused({ broadcastId }: BroadcastWork, { kind, code }: DomainError): Promise<boolean> {
    // No room for mail at the moment: nothing is wrong with the broadcast.
    if (kind === 'unavailable') return false;
    const limit = this.limits.get(broadcastId) ?? sliceSize;
    const reason = reasonOfRefusal(code);
    if (reason !== 'domain_not_verified' && limit > 1) {
      this.limits.set(broadcastId, limit >> 1);
      return true;
    }
    this.limits.delete(broadcastId);
    const now = this.clock.now();
    await this.runs.pause(broadcastId, reason, retryAt(reason, now), now);
    return true;
  }
}

/** Quotas are of days and months in UTC. */
function retryAt(reason: PauseReason, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  switch (reason) {
    case 'daily_quota_exceeded':
      return new Date(Date.UTC(year, month, day + 1));
    case 'monthly_quota_exceeded':
      return new Date(Date.UTC(year, month + 1, 1));
    default:
      return new Date(now.getTime() + retryDomainMs);
  }
}
