import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { TeamRepository } from './ports/team-repository.port.js';

/** Lets transactions of one team take turns, where each counts what the team has before it adds to it. */
@Injectable()
export class TeamTurns {
  constructor(private readonly teams: TeamRepository) {}

  /** Waits for the others of this team, and makes them wait until the transaction ends. */
  take(teamId: string, transaction: Transaction): Promise<void> {
    return this.teams.lock(teamId, transaction);
  }
}
