import { Teams, MadeTeam, Team, TeamRepository, TeamRole } from '#identity';
import { Clock, found, NotFoundError, Page, PageRequest, UnitOfWork } from '#kernel';
import { TeamLimits, TeamLimitSettings } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { parseUserAddress } from '../domain/invitation.js';
import { Memberships } from './ports/memberships.port.js';
import { Users } from './ports/users.port.js';

export interface OperatedTeam {
  readonly team: Team;
  /** Null: as configured. */
  readonly limits: TeamLimitSettings;
}

/** What the operator does with teams: make them, name them, limit them, and put people into them. */
@Injectable()
export class OperateTeams {
  // oxlint-disable-next-line max-params -- a team is a row, its members and its limits
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly teams: Teams,
    private readonly rows: TeamRepository,
    private readonly memberships: Memberships,
    private readonly users: Users,
    private readonly limits: TeamLimits,
    private readonly clock: Clock,
  ) {}

  create(name: string): Promise<MadeTeam> {
    return this.teams.create(name);
  }

  async find(teamId: string): Promise<OperatedTeam> {
    const team = await this.teams.find(teamId);
    return { team, limits: await this.limits.read(teamId) };
  }

  async list(page: PageRequest, search?: string): Promise<Page<OperatedTeam>> {
    const { items, hasMore } = await this.teams.list(page, search);
    const limits = await this.limits.readAll(items.map(({ id }) => id));
    return { hasMore, items: items.map((team) => ({ team, limits: limits.get(team.id) ?? unlimited })) };
  }

  async change(teamId: string, changes: { readonly name?: string } & Partial<TeamLimitSettings>): Promise<void> {
    const { name, ...limits } = changes;
    await this.teams.find(teamId);
    if (name !== undefined) await this.teams.change(teamId, { name });
    const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length > 0) await this.limits.change(teamId, given);
  }

  /** Adds a user to a team, or gives a member another role. Returns the id of the user. */
  async putMember(teamId: string, address: string, role: TeamRole): Promise<string> {
    await this.teams.find(teamId);
    const user = found('User', await this.users.findByEmail(parseUserAddress(address)));
    if (!user.isVerified) throw new NotFoundError('User');
    await this.unitOfWork.run(async (transaction) => {
      await this.rows.lock(teamId, transaction);
      await this.memberships.put(teamId, user.id, role, this.clock.now(), transaction);
    });
    return user.id;
  }
}

const unlimited: TeamLimitSettings = { requestsPerSecond: null, dailyQuota: null, monthlyQuota: null };
