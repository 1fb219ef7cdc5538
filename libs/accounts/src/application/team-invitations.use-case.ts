import { Teams, permissionsOfRole, Principal, TeamRepository, TeamRole } from '#identity';
import { Clock, newId, NotFoundError, Page, PageRequest, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AlreadyMemberError, Invitation, parseUserAddress } from '../domain/invitation.js';
import {
  checkMayManage,
  invitationDays,
  maxMembers,
  maxOpenInvitations,
  TooManyMembersError,
} from '../domain/team-rules.js';
import { Invitations, Memberships } from './ports/memberships.port.js';
import { InvitationLimits } from './invitation-limits.js';
import { InvitationMail } from './invitation-mail.js';

const dayMs = 86_400_000;

/** Invites people to a team by mail. */
@Injectable()
export class TeamInvitations {
  // oxlint-disable-next-line max-params -- an invitation is a row, a mail and a rule about the members
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly invitations: Invitations,
    private readonly memberships: Memberships,
    private readonly teams: TeamRepository,
    private readonly manageTeams: Teams,
    private readonly mail: InvitationMail,
    private readonly limits: InvitationLimits,
    private readonly clock: Clock,
  ) {}

  list(teamId: string, page: PageRequest): Promise<Page<Invitation>> {
    return this.invitations.list(teamId, page);
  }

  /** Replaces an earlier invitation of the address. Only the mail has the link, so that nobody else can use it. */
  async invite(
    principal: Principal,
    request: { readonly email: string; readonly role: TeamRole },
  ): Promise<Invitation> {
    const { teamId } = principal;
    const email = parseUserAddress(request.email);
    checkMayManage(await this.roleOf(principal), request.role);
    principal.requireToPassOn(permissionsOfRole(request.role));
    if (await this.memberships.hasAddress(teamId, email)) throw new AlreadyMemberError();
    const { name } = await this.manageTeams.find(teamId);
    await this.limits.take(principal, email);
    const { token, tokenHash } = this.mail.newToken();
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + invitationDays * dayMs);
    const id = newId(createdAt.getTime());
    const grantId = principal.tool?.grantId ?? null;
    const invitation = { id, teamId, email, role: request.role, grantId, tokenHash, createdAt, expiresAt };
    await this.unitOfWork.run(async (transaction) => {
      await this.teams.lock(teamId, transaction);
      const open = await this.invitations.count(teamId, transaction);
      const members = await this.memberships.count(teamId, undefined, transaction);
      if (open >= maxOpenInvitations || members >= maxMembers) throw new TooManyMembersError();
      await this.invitations.put(invitation, transaction);
    });
    await this.mail.send({ to: email, team: name, token, by: principal });
    return invitation;
  }

  async revoke(teamId: string, id: string): Promise<void> {
    if (!(await this.invitations.remove(teamId, id))) throw new NotFoundError('Invitation');
  }

  private async roleOf({ actor, teamId }: Principal): Promise<TeamRole> {
    if (actor.kind !== 'user') return 'admin';
    return (await this.memberships.roleOf(actor.id, teamId)) ?? 'viewer';
  }
}
