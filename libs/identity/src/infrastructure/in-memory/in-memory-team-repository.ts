import { inMemory, Transaction } from '#kernel';
import { TeamRepository } from '../../application/ports/team-repository.port.js';
import { Team } from '../../domain/api-key.js';

/** Keeps teams in memory, for tests. */
export class InMemoryTeamRepository extends TeamRepository {
  private readonly teams = new Map<string, Team>();

  async insert(team: Team, transaction: Transaction): Promise<void> {
    this.teams.set(team.id, team);
    inMemory(transaction).onRollback(() => this.teams.delete(team.id));
  }

  async anyExists(): Promise<boolean> {
    return this.teams.size > 0;
  }

  /** Does nothing: no other process shares these teams. */
  async lock(): Promise<void> {}
}
