import { Clock, newId, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ApiKeyRepository } from './ports/api-key-repository.port.js';
import { ApiKeyTokens } from './ports/api-key-tokens.port.js';
import { TeamRepository } from './ports/team-repository.port.js';

export interface BootstrappedTeam {
  readonly teamId: string;
  /** The token in clear. It is stored only as a hash and cannot be shown again. */
  readonly token: string;
}

/** Creates one team with one full-access API key on the first start, and nothing on later starts. */
@Injectable()
export class BootstrapTeam {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly teams: TeamRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: ApiKeyTokens,
    private readonly clock: Clock,
  ) {}

  /**
   * `within` runs in the same transaction, so that the rest of a first start is created together with the team or not
   * at all.
   */
  execute(
    givenToken: string | undefined,
    within: (teamId: string, transaction: Transaction) => Promise<void>,
  ): Promise<BootstrappedTeam | undefined> {
    return this.unitOfWork.run(async (transaction) => {
      if (await this.teams.anyExists(transaction)) return undefined;
      const token = givenToken ?? this.tokens.generate();
      const teamId = await this.createTeam(token, transaction);
      await within(teamId, transaction);
      return { teamId, token };
    });
  }

  /** True where a configured token has no effect: teams exist, and none of them has a key with this token. */
  async isIgnored(token: string): Promise<boolean> {
    if ((await this.apiKeys.findByTokenHash(this.tokens.hash(token))) !== undefined) return false;
    return this.unitOfWork.run((transaction) => this.teams.anyExists(transaction));
  }

  private async createTeam(token: string, transaction: Transaction): Promise<string> {
    const createdAt = this.clock.now();
    const teamId = newId();
    await this.teams.insert({ id: teamId, name: 'My team', createdAt }, transaction);
    await this.apiKeys.insert(
      {
        id: newId(),
        teamId,
        name: 'First key',
        permission: 'full_access',
        domainId: null,
        tokenHash: this.tokens.hash(token),
        createdAt,
        lastUsedAt: null,
      },
      transaction,
    );
    return teamId;
  }
}
