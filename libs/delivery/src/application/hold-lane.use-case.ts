import type { Principal } from '#identity';
import { DomainError, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { maxLaneLength } from '../domain/lane-name.js';
import { LaneDesk } from './ports/lane-desk.port.js';
import { LaneSignal } from './ports/lane-signal.port.js';

const maxNoteLength = 200;

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
 * Pauses and resumes a lane for the operator. The pause is a row, so it outlives every process. Deliveries under way end; what waits
 * keeps its place, and its time to live goes on.
 */
@Injectable()
export class HoldLane {
  constructor(
    private readonly desk: LaneDesk,
    private readonly signal: LaneSignal,
  ) {}

  async hold(principal: Principal, lane: string, note?: string): Promise<void> {
    principal.require('installation:write');
    checkLane(lane);
    if (note !== undefined && (note.length > maxNoteLength || /[\0\p{Cc}]/u.test(note))) {
      throw new ValidationError(`The \`note\` field must be text of at most ${maxNoteLength} characters.`);
    }
    if (!(await this.desk.hold(lane, principal.actor, note))) throw new LanePausedError();
  }

  async release(principal: Principal, lane: string): Promise<void> {
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
