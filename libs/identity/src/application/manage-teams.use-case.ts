import { Clock, found, newId, NotFoundError, Page, PageRequest, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkTeamName, Team } from '../domain/api-key.js';
import { ApiKeyRepository } from './ports/api-key-repository.port.js';
import { ApiKeyTokens } from './ports/api-key-tokens.port.js';
import { TeamRepository } from './ports/team-repository.port.js';

export interface MadeTeam {
  readonly team: Team;
  /** Token of the team's first key in clear. It is stored only as a hash and cannot be shown again. */
  readonly token: string;
}

/** Makes, finds and renames teams. The caller has checked who asks. */
@Injectable()
export class ManageTeams {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly teams: TeamRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: ApiKeyTokens,
    private readonly clock: Clock,
  ) {}

  /** Makes a team with one full-access key. `within` runs in the same transaction. */
  create(name: string, within?: (team: Team, transaction: Transaction) => Promise<void>): Promise<MadeTeam> {
    checkTeamName(name);
    const createdAt = this.clock.now();
    const team = { id: newId(createdAt.getTime()), name: name.trim(), createdAt };
    const token = this.tokens.generate();
    return this.unitOfWork.run(async (transaction) => {
      await this.teams.insert(team, transaction);
      const key = { id: newId(), teamId: team.id, name: 'First key', domainId: null, createdAt, lastUsedAt: null };
      const tokenHash = this.tokens.hash(token);
      await this.apiKeys.insert({ ...key, permission: 'full_access', tokenHash }, transaction);
      await within?.(team, transaction);
      return { team, token };
    });
  }

  async find(teamId: string): Promise<Team> {
    return found('Team', await this.teams.find(teamId));
  }

  list(page: PageRequest): Promise<Page<Team>> {
    return this.teams.list(page);
  }

  async rename(teamId: string, name: string): Promise<void> {
    checkTeamName(name);
    if (!(await this.teams.rename(teamId, name.trim()))) throw new NotFoundError('Team');
  }
}
