import { Teams, TeamRepository, TeamRole } from '#identity';
import { checkDisplayName, Clock, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkPassword, InvalidInvitationError, Invitation, OtherAddressError } from '../domain/invitation.js';
import { maxMembers, TooManyMembersError } from '../domain/team-rules.js';
import { User } from '../domain/user.js';
import { hashLinkToken } from './invitation-mail.js';
import { Invitations, Memberships } from './ports/memberships.port.js';
import { NewUsers } from './new-users.js';

export interface ShownInvitation {
  readonly teamName: string;
  readonly email: string;
  readonly role: TeamRole;
  /** Whether somebody has an account with the address, and signs in to accept. */
  readonly hasAccount: boolean;
}

/** Lets the invited person join the team. */
@Injectable()
export class AcceptInvitation {
  // oxlint-disable-next-line max-params -- joins what a person, a team and an invitation are
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly invitations: Invitations,
    private readonly memberships: Memberships,
    private readonly teams: TeamRepository,
    private readonly manageTeams: Teams,
    private readonly newUsers: NewUsers,
    private readonly clock: Clock,
  ) {}

  async show(token: string): Promise<ShownInvitation> {
    const { teamId, email, role } = await this.find(token);
    const { name } = await this.manageTeams.find(teamId);
    return { teamName: name, email, role, hasAccount: await this.newUsers.hasAccount(email) };
  }

  /** For a user who is signed in with the invited address. Returns the id of the team. */
  async asUser(token: string, user: User): Promise<string> {
    const invitation = await this.find(token);
    if (invitation.email !== user.email) throw new OtherAddressError();
    return this.join(invitation, user.id);
  }

  /** Makes the account as well. The link was mailed to the address, so the address counts as verified. */
  async asNewUser(token: string, person: { readonly name: string; readonly password: string }): Promise<string> {
    checkDisplayName(person.name);
    checkPassword(person.password);
    const invitation = await this.find(token);
    const userId = await this.newUsers.create({ ...person, email: invitation.email });
    return this.join(invitation, userId);
  }

  private async find(token: string): Promise<Invitation> {
    const invitation = await this.invitations.findByTokenHash(hashLinkToken(token), this.clock.now());
    if (invitation === undefined) throw new InvalidInvitationError();
    return invitation;
  }

  private async join({ id, teamId, role }: Invitation, userId: string): Promise<string> {
    await this.unitOfWork.run(async (transaction) => {
      await this.teams.lock(teamId, transaction);
      if (!(await this.invitations.remove(teamId, id, transaction))) throw new InvalidInvitationError();
      // Somebody who has joined in another way keeps the role.
      if ((await this.memberships.find(teamId, userId, transaction)) !== undefined) return;
      // Further invitations may have been accepted since this one was sent.
      if ((await this.memberships.count(teamId, undefined, transaction)) >= maxMembers) throw new TooManyMembersError();
      await this.memberships.put(teamId, userId, role, this.clock.now(), transaction);
    });
    return teamId;
  }
}
