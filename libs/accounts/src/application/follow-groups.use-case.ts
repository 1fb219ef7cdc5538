import { AuditTrail } from '#audit';
import { TeamRepository, TeamRole } from '#identity';
import { Clock, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { maxMembers } from '../domain/team-rules.js';
import { Memberships } from './ports/memberships.port.js';

export interface GroupsOfUser {
  readonly userId: string;
  /** Id of the sign-in provider. */
  readonly provider: string;
  /** What its groups give the user now, by id of the team. */
  readonly roles: ReadonlyMap<string, TeamRole>;
  /** Address of the client, for the audit log. */
  readonly address: string;
}

/**
 * Gives a user the memberships that the groups of a provider call for, and takes back those that the provider gave before.
 * Memberships that people or other providers gave stay as they are, and so does the last owner of a team.
 */
@Injectable()
export class FollowGroups {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly memberships: Memberships,
    private readonly teams: TeamRepository,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  async follow({ userId, provider, roles, address }: GroupsOfUser): Promise<void> {
    const given = await this.memberships.givenBy(provider, userId);
    for (const teamId of new Set([...given.keys(), ...roles.keys()])) {
      const [before, after] = [given.get(teamId), roles.get(teamId)];
      if (before === after || (await this.teams.find(teamId)) === undefined) continue;
      const entry = await this.trail.begin({
        teamId,
        action: 'team.members.follow_groups',
        actor: { kind: 'service' },
        address,
        targetId: userId,
      });
      const isChanged = await this.unitOfWork.run((transaction) =>
        this.change({ teamId, userId, provider, role: after }, transaction),
      );
      const shown = (role: TeamRole | undefined): object => ({ role: role ?? null, provider });
      await (isChanged ? entry.done({ before: { role: before ?? null }, after: shown(after) }) : entry.refused());
    }
  }

  /** Returns whether the membership is changed. */
  private async change(
    { teamId, userId, provider, role }: Record<'teamId' | 'userId' | 'provider', string> & { role?: TeamRole },
    transaction: Transaction,
  ): Promise<boolean> {
    await this.teams.lock(teamId, transaction);
    const member = await this.memberships.find(teamId, userId, transaction);
    if (member === undefined) {
      if (role === undefined || (await this.memberships.count(teamId, undefined, transaction)) >= maxMembers)
        return false;
    } else {
      if (member.provider !== provider) return false;
      const isLowered = member.role === 'owner' && role !== 'owner';
      if (isLowered && (await this.memberships.count(teamId, 'owner', transaction)) < 2) return false;
    }
    if (role === undefined) await this.memberships.remove(teamId, userId, transaction);
    else await this.memberships.put(teamId, userId, role, this.clock.now(), transaction, provider);
    return true;
  }
}
