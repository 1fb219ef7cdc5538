import { FixedAudience } from '#audience';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Broadcast } from '../../domain/broadcast.js';
import { AudiencePlan, rankedPlan } from '../../domain/fan-out/waves.js';
import { zonesPlan } from '../../domain/fan-out/zones.js';
import { BroadcastRepository } from '../ports/broadcast-repository.port.js';
import { BroadcastRuns, BroadcastWork } from '../ports/broadcast-runs.port.js';
import { LongWork } from '../ports/long-work.port.js';
import { TimeZones } from '../ports/time-zones.port.js';

/** Writes down who gets a broadcast: the members of its segment at one moment. */
@Injectable()
export class FixAudience {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly runs: BroadcastRuns,
    private readonly audience: FixedAudience,
    private readonly zones: TimeZones,
    private readonly work: LongWork,
    private readonly clock: Clock,
  ) {}

  /** False where another worker does it. */
  async execute(work: BroadcastWork): Promise<boolean> {
    const broadcast = await this.broadcasts.find(work.teamId, work.broadcastId);
    if (broadcast === undefined) return false;
    const now = this.clock.now();
    const plan = await this.planOf(broadcast, now);
    await this.runs.register(work);
    const result = await this.work.run(async (transaction) => {
      if (!(await this.runs.begin(work, transaction))) return 'taken';
      const asked = {
        teamId: work.teamId,
        segmentId: broadcast.segmentId,
        property: plan.kind === 'zones' ? plan.property : undefined,
      };
      const members = await this.audience.members(asked, this.runs.firstMembersParameter, transaction);
      if (members === undefined) return 'gone';
      await this.runs.plan(work, members, plan, now, transaction);
      return 'planned';
    });
    if (result === 'gone') await this.runs.pause(work.broadcastId, 'segment_deleted', null, now);
    return result !== 'taken';
  }

  private async planOf(broadcast: Broadcast, now: Date): Promise<AudiencePlan> {
    const { localTime } = broadcast.options;
    if (localTime === undefined) return rankedPlan(broadcast);
    return zonesPlan(localTime, broadcast.scheduledAt ?? now, await this.zones.names(), now);
  }
}
