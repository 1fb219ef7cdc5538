import { permissionsOfRole, Principal, TeamRepository, TeamRole } from '#identity';
import { Clock, found, NotFoundError, Page, PageRequest, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkMayManage, LastOwnerError, OwnerOnlyError } from '../domain/team-rules.js';
import { Member, Memberships } from './ports/memberships.port.js';

/** Lists the members of a team, changes their roles and removes them. A team keeps at least one owner, once it has one. */
@Injectable()
export class TeamMembers {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly memberships: Memberships,
    private readonly teams: TeamRepository,
    private readonly clock: Clock,
  ) {}

  list(teamId: string, page: PageRequest): Promise<Page<Member>> {
    return this.memberships.list(teamId, page);
  }

  async find(teamId: string, userId: string): Promise<Member> {
    return found('Member', await this.memberships.find(teamId, userId));
  }

  changeRole(principal: Principal, userId: string, role: TeamRole): Promise<void> {
    principal.requireToPassOn(permissionsOfRole(role));
    return this.inTurn(principal, async (actor, transaction) => {
      const member = found('Member', await this.memberships.find(principal.teamId, userId, transaction));
      checkMayManage(actor, member.role, role);
      if (role !== 'owner') await this.keepAnOwner(principal.teamId, member, transaction);
      await this.memberships.put(principal.teamId, userId, role, this.clock.now(), transaction);
    });
  }

  /** Everybody may leave a team, and no tool does that for them. */
  remove(principal: Principal, userId: string): Promise<void> {
    const { actor: who, tool } = principal;
    const isSelf = who.kind === 'user' && who.id === userId && tool === null;
    if (!isSelf) principal.require('team:write');
    return this.inTurn(principal, async (actor, transaction) => {
      const member = found('Member', await this.memberships.find(principal.teamId, userId, transaction));
      if (!isSelf) checkMayManage(actor, member.role);
      await this.keepAnOwner(principal.teamId, member, transaction);
      await this.memberships.remove(principal.teamId, userId, transaction);
    });
  }

  /**
   * Makes another member the owner, and the present one an admin. No tool may do it: it asks the user to confirm who
   * they are.
   */
  transfer(principal: Principal, userId: string): Promise<void> {
    return this.inTurn(principal, async (actor, transaction) => {
      const { actor: who, teamId } = principal;
      if (actor !== 'owner' || who.kind !== 'user' || principal.tool !== null) throw new OwnerOnlyError();
      if ((await this.memberships.find(teamId, userId, transaction)) === undefined) throw new NotFoundError('Member');
      await this.memberships.put(teamId, who.id, 'admin', this.clock.now(), transaction);
      await this.memberships.put(teamId, userId, 'owner', this.clock.now(), transaction);
    });
  }

  /** Changes of one team run one after the other: two owners must not remove each other at once. */
  private inTurn(
    principal: Principal,
    work: (actor: TeamRole, transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    return this.unitOfWork.run(async (transaction) => {
      await this.teams.lock(principal.teamId, transaction);
      await work(await this.roleOf(principal, transaction), transaction);
    });
  }

  private async roleOf({ actor, teamId }: Principal, transaction: Transaction): Promise<TeamRole> {
    if (actor.kind !== 'user') return 'admin';
    return found('Team', await this.memberships.find(teamId, actor.id, transaction)).role;
  }

  private async keepAnOwner(teamId: string, member: Member, transaction: Transaction): Promise<void> {
    if (member.role !== 'owner') return;
    if ((await this.memberships.count(teamId, 'owner', transaction)) < 2) throw new LastOwnerError();
  }
}
