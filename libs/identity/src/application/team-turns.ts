import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { TeamRepository } from './ports/team-repository.port.js';

/** Runs transactions of one team one after the other, where each counts what the team has before it adds more. */
@Injectable()
export class TeamTurns {
  constructor(private readonly teams: TeamRepository) {}

  /** Waits for the team's other transactions, and makes later ones wait until this transaction ends. */
  take(teamId: string, transaction: Transaction): Promise<void> {
    return this.teams.lock(teamId, transaction);
  }
}
