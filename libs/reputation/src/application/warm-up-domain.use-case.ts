import { ReadDomains } from '#domains';
import type { Principal } from '#identity';
import { Clock, found, NotFoundError, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { defaultSchedule, maxPerDay, maxSteps } from '../domain/warm-up.js';
import { WarmUps } from './ports/warm-ups.port.js';

/** Starts and ends the warm-up of a domain. */
@Injectable()
export class WarmUpDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: ReadDomains,
    private readonly warmUps: WarmUps,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts at the first day of the schedule. A warm-up that runs goes on where it is, with this schedule. Throws NotFoundError if the team
   * has no such domain, and ValidationError for a schedule that is no ramp.
   */
  async start({ teamId }: Principal, domainId: string, schedule = defaultSchedule): Promise<void> {
    checkSchedule(schedule);
    const { domain } = found('Domain', await this.domains.find(teamId, domainId));
    const warmUp = { domainId: domain.id, teamId, schedule, startedAt: this.clock.now(), endedAt: undefined };
    await this.unitOfWork.run((transaction) => this.warmUps.start(warmUp, transaction));
  }

  /** All mail goes at once. Throws NotFoundError if the team has no such domain, or it does not warm up. */
  async end({ teamId }: Principal, domainId: string): Promise<void> {
    const { domain } = found('Domain', await this.domains.find(teamId, domainId));
    const now = this.clock.now();
    const hasEnded = await this.unitOfWork.run((transaction) => this.warmUps.end(domain.id, now, transaction));
    if (!hasEnded) throw new NotFoundError('Warm-up');
  }
}

function checkSchedule(schedule: readonly number[]): void {
  const rises = schedule.every((count, day) => count >= (schedule[day - 1] ?? 1));
  const isWhole = schedule.every((count) => Number.isInteger(count) && count <= maxPerDay);
  if (schedule.length > 0 && schedule.length <= maxSteps && rises && isWhole) return;
  throw new ValidationError(
    `The \`schedule\` field must have 1 to ${maxSteps} whole numbers from 1 to ${maxPerDay}, none smaller than the one before.`,
  );
}
