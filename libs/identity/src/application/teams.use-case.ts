import {
  checkDisplayName,
  Clock,
  found,
  mailboxField,
  newId,
  NotFoundError,
  Page,
  PageRequest,
  Transaction,
  UnitOfWork,
} from '#kernel';
import { Injectable } from '@nestjs/common';
import { Team, TeamChanges } from '../domain/api-key.js';
import { noPolicies } from '../domain/key-policies.js';
import { hashApiKeyToken, newApiKeyToken } from './api-keys.use-case.js';
import { ApiKeyRepository, TeamRepository } from './ports/teams-and-api-keys.port.js';

export interface MadeTeam {
  readonly team: Team;
  /** Token of the team's first key in clear. It is stored only as a hash and cannot be shown again. */
  readonly token: string;
}

/** Runs in the transaction that makes the team: both are made, or neither. */
export type WithNewTeam = (team: Team, transaction: Transaction) => Promise<void>;

/** The teams of the installation. The caller has checked who asks. */
@Injectable()
export class Teams {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly teams: TeamRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  /** Makes the first team, with `givenToken` as its key if there is one. Does nothing if a team exists. */
  createFirst(givenToken: string | undefined, within: WithNewTeam): Promise<MadeTeam | undefined> {
    return this.unitOfWork.run(async (transaction) => {
      if (await this.teams.anyExists(transaction)) return undefined;
      const made = await this.insert('My team', givenToken ?? newApiKeyToken(), transaction);
      await within(made.team, transaction);
      return made;
    });
  }

  /** Returns whether a configured token has no effect: teams exist, and none of them has a key with this token. */
  async isIgnored(token: string): Promise<boolean> {
    if ((await this.apiKeys.findByTokenHash(hashApiKeyToken(token))) !== undefined) return false;
    return this.unitOfWork.run((transaction) => this.teams.anyExists(transaction));
  }

  /** Makes a team with one full-access key. */
  create(name: string, within?: WithNewTeam): Promise<MadeTeam> {
    checkDisplayName(name);
    return this.unitOfWork.run(async (transaction) => {
      const made = await this.insert(name.trim(), newApiKeyToken(), transaction);
      await within?.(made.team, transaction);
      return made;
    });
  }

  async find(teamId: string): Promise<Team> {
    return found('Team', await this.teams.find(teamId));
  }

  list(page: PageRequest, search?: string): Promise<Page<Team>> {
    return this.teams.list(page, search);
  }

  /** An empty `defaultFrom` removes it. Whether its domain is verified is asked when it is sent from. */
  async change(teamId: string, { name, defaultFrom }: TeamChanges): Promise<void> {
    if (name !== undefined) checkDisplayName(name);
    const from = defaultFrom === undefined ? undefined : (defaultFrom ?? '').trim();
    const changes = {
      name: name?.trim(),
      defaultFrom: from === undefined ? undefined : from === '' ? null : mailboxField('default_from', from),
    };
    if (!(await this.teams.change(teamId, changes))) throw new NotFoundError('Team');
  }

  private async insert(name: string, token: string, transaction: Transaction): Promise<MadeTeam> {
    const createdAt = this.clock.now();
    const team = { id: newId(createdAt.getTime()), name, defaultFrom: null, createdAt };
    await this.teams.insert(team, transaction);
    await this.apiKeys.insert(
      {
        id: newId(),
        teamId: team.id,
        name: 'First key',
        permission: 'full_access',
        domainId: null,
        grantId: null,
        tokenHash: hashApiKeyToken(token),
        createdAt,
        lastUsedAt: null,
        ...noPolicies,
      },
      transaction,
    );
    return { team, token };
  }
}
