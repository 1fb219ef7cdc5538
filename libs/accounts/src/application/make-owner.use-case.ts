import { TeamRepository } from '#identity';
import { checkDisplayName, Clock, DomainError, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkPassword, parseUserAddress } from '../domain/invitation.js';
import { Memberships } from './ports/memberships.port.js';
import { OwnerLinks } from './ports/sign-in.port.js';
import { Users } from './ports/users.port.js';
import { NewUsers } from './new-users.js';

export class InvalidOwnerLinkError extends DomainError {
  constructor() {
    super(
      'forbidden',
      'invalid_owner_link',
      'The link is not valid, or it has been used. Restart the program for another.',
    );
  }
}

/**
 * Makes the first user from the link that the first start prints: the owner of the first team, and the operator of the
 * installation. The link works until somebody has used it.
 */
@Injectable()
export class MakeOwner {
  // oxlint-disable-next-line max-params -- makes a user, an operator and an owner at once
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly links: OwnerLinks,
    private readonly users: Users,
    private readonly newUsers: NewUsers,
    private readonly memberships: Memberships,
    private readonly teams: TeamRepository,
    private readonly clock: Clock,
  ) {}

  /** The token of the link; undefined once there is an operator. */
  async openToken(): Promise<string | undefined> {
    return (await this.users.anyOperator()) ? undefined : this.links.token();
  }

  /** Returns the id of the user. */
  async make(
    token: string,
    person: { readonly email: string; readonly name: string; readonly password: string },
  ): Promise<string> {
    const email = parseUserAddress(person.email);
    checkDisplayName(person.name);
    checkPassword(person.password);
    if (!this.links.accepts(token) || (await this.users.anyOperator())) throw new InvalidOwnerLinkError();
    const { id, isNew } = await this.newUsers.createOrTake({ ...person, email });
    try {
      await this.makeOperator(id);
    } catch (error) {
      // Somebody else was faster.
      if (isNew) await this.users.remove(id);
      throw error;
    }
    return id;
  }

  private makeOperator(userId: string): Promise<void> {
    return this.unitOfWork.run(async (transaction) => {
      if (await this.users.anyOperator(transaction)) throw new InvalidOwnerLinkError();
      const now = this.clock.now();
      await this.users.addOperator(userId, now, transaction);
      const team = await this.teams.oldest(transaction);
      if (team !== undefined) await this.memberships.put(team.id, userId, 'owner', now, transaction);
    });
  }
}
