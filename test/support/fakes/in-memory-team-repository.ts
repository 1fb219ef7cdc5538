import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';
import { TeamRepository } from '../../../libs/identity/src/application/ports/teams-and-api-keys.port.js';
import { Team, TeamChanges } from '../../../libs/identity/src/domain/api-key.js';

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

  async find(teamId: string): Promise<Team | undefined> {
    return this.teams.get(teamId);
  }

  async oldest(): Promise<Team | undefined> {
    return [...this.teams.values()].sort((a, b) => (a.id < b.id ? -1 : 1))[0];
  }

  async list(page: PageRequest, search = ''): Promise<Page<Team>> {
    const { after, before, limit } = page;
    const teams = [...this.teams.values()]
      .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    if (before !== undefined) {
      const newer = teams.filter(({ id }) => id > before).reverse();
      return pageOf(page, newer.slice(0, limit + 1));
    }
    const older = after === undefined ? teams : teams.filter(({ id }) => id < after);
    return pageOf(page, older.slice(0, limit + 1));
  }

  async change(teamId: string, { name, defaultFrom }: TeamChanges): Promise<boolean> {
    const team = this.teams.get(teamId);
    if (team === undefined) return false;
    const from = defaultFrom === undefined ? team.defaultFrom : defaultFrom;
    this.teams.set(teamId, { ...team, name: name ?? team.name, defaultFrom: from });
    return true;
  }

  /** Does nothing: no other process shares these teams. */
  async lock(): Promise<void> {}
}
