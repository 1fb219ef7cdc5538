import { Injectable } from '@nestjs/common';
import type { Principal } from '#identity';
import { DomainError, ValidationError } from '#kernel';
import { maxLaneLength, ServedRegions } from '../domain/lane-name.js';
import type { QueueOverview, RegionOverview } from '../domain/lane-overview.js';
import { standInsOf } from '../domain/stand-ins.js';
import { LaneDesk, LaneSignal, RegionDesk } from './ports/lanes.port.js';

const maxNoteLength = 200;
/** All who look at the lanes within this time share one reading. */
const freshForMs = 1_000;

export class LanePausedError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'This lane is paused already.');
  }
}

export class LaneNotPausedError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'This lane is not paused.');
  }
}

/**
 * Shows the lanes to the operator, who can pause and resume each. A pause is a row, so it outlives every process.
 * Deliveries under way end. Waiting mail keeps its place, and its retry time goes on.
 */
@Injectable()
export class OperateLanes {
  private reading: Promise<QueueOverview> | undefined;
  private readAt = -Infinity;

  constructor(
    private readonly desk: LaneDesk,
    private readonly signal: LaneSignal,
    private readonly regions: RegionDesk,
    private readonly served: ServedRegions,
  ) {}

  overview(): Promise<QueueOverview> {
    if (this.reading !== undefined && performance.now() - this.readAt < freshForMs) return this.reading;
    this.readAt = performance.now();
    const reading = this.read();
    this.reading = reading;
    reading.catch(() => {
      if (this.reading === reading) this.reading = undefined;
    });
    return reading;
  }

  private async read(): Promise<QueueOverview> {
    const [queue, regions] = await Promise.all([this.desk.overview(), this.readRegions()]);
    return { ...queue, regions };
  }

  /** Empty where no worker has a region of its own. */
  private async readRegions(): Promise<readonly RegionOverview[]> {
    const { presences, areServed } = await this.regions.presences();
    const haveWorkers = presences.some(({ workers }) => workers > 0);
    if (presences.length === 0 || (areServed && !haveWorkers)) return [];
    const { regions, patienceMs } = this.served;
    const standIns = areServed ? undefined : standInsOf(regions, presences, patienceMs);
    return regions.map((name) => {
      const presence = presences.find((found) => found.name === name);
      return {
        name,
        workers: presence?.workers ?? 0,
        silentMs: presence?.silentMs,
        isServedByAll: areServed,
        standIn: standIns?.get(name) ?? undefined,
      };
    });
  }

  async pause(principal: Principal, lane: string, note?: string): Promise<void> {
    principal.require('installation:write');
    checkLane(lane);
    if (note !== undefined && (note.length > maxNoteLength || /[\0\p{Cc}]/u.test(note))) {
      throw new ValidationError(`The \`note\` field must be text of at most ${maxNoteLength} characters.`);
    }
    if (!(await this.desk.hold(lane, principal.actor, note))) throw new LanePausedError();
  }

  async resume(principal: Principal, lane: string): Promise<void> {
    principal.require('installation:write');
    checkLane(lane);
    if (!(await this.desk.release(lane))) throw new LaneNotPausedError();
    const teamId = await this.desk.teamIn(lane);
    if (teamId !== undefined) this.signal.wake(lane, teamId);
  }
}

/** A lane may be paused before it has mail. */
function checkLane(lane: string): void {
  if (lane.length <= maxLaneLength && /^[^/\s]+\/[^/\s]+\/\S+$/.test(lane)) return;
  throw new ValidationError('The `lane` field must be the name of a lane, such as `eu-west-1/default/mx:gmail.com`.');
}
