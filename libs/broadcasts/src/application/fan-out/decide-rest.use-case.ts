import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Broadcast } from '../../domain/broadcast.js';
import { reasonToHold } from '../../domain/fan-out/first-share.js';
import { subjectsOf } from '../../domain/fan-out/waves.js';
import { BroadcastRepository } from '../ports/broadcast-repository.port.js';
import { BroadcastRuns, BroadcastWork, Undecided } from '../ports/broadcast-runs.port.js';

/** Decides what becomes of the contacts that wait behind a first share or a test of subjects. */
@Injectable()
export class DecideRest {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly runs: BroadcastRuns,
    private readonly clock: Clock,
  ) {}

  /** True where something was decided. */
  async execute({ teamId, broadcastId }: BroadcastWork): Promise<boolean> {
    const [broadcast, state] = await Promise.all([
      this.broadcasts.find(teamId, broadcastId),
      this.runs.undecided(broadcastId),
    ]);
    if (broadcast === undefined || state === undefined) return false;
    const now = this.clock.now();
    const { firstShare } = broadcast.options;
    const reason = firstShare && reasonToHold(firstShare, state);
    if (reason !== undefined) {
      await this.runs.pause(broadcastId, reason, null, now);
      return true;
    }
    return state.isReady && this.proceed(broadcast, state, now);
  }

  /** To be called before each slice of a first share. True where the broadcast has paused. */
  async hold({ broadcastId, firstShare }: BroadcastWork): Promise<boolean> {
    const state = firstShare && (await this.runs.undecided(broadcastId));
    const reason = state && reasonToHold(firstShare, state);
    if (reason !== undefined && reason !== null) await this.runs.pause(broadcastId, reason, null, this.clock.now());
    return reason !== undefined && reason !== null;
  }

  private async proceed(broadcast: Broadcast, { decideAt }: Undecided, now: Date): Promise<boolean> {
    const { id, options } = broadcast;
    const waitMinutes = options.test?.waitMinutes ?? options.firstShare?.waitMinutes ?? null;
    if (decideAt === null) {
      await this.runs.decideAt(id, new Date(now.getTime() + (waitMinutes ?? 0) * 60_000));
      // Whoever resumes it has decided.
      if (waitMinutes === null) await this.runs.pause(id, 'first_share_sent', null, now);
      return waitMinutes === null;
    }
    if (decideAt > now) return false;
    await this.runs.release(id, await this.winnerOf(broadcast), now);
    return true;
  }

  private async winnerOf(
    broadcast: Broadcast,
  ): Promise<{ readonly variant: number; readonly scores: readonly number[] } | undefined> {
    const { test } = broadcast.options;
    if (test === undefined) return undefined;
    const kind = test.winner === 'clicks' ? 'clicked' : 'opened';
    const scores = await this.runs.scores(broadcast.id, kind, subjectsOf(broadcast).length);
    // Of equal ones the first: the subject of the broadcast itself.
    return { variant: scores.indexOf(Math.max(...scores)), scores };
  }
}
