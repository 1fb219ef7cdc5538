import { Injectable } from '@nestjs/common';
import { Clock, DomainError } from '#kernel';
import { Permission, permissionsOfRole, TeamRole } from '#identity';
import { SessionUser } from '../domain/user.js';
import { Memberships } from './ports/memberships.port.js';
import { Sessions, SignIn } from './ports/sign-in.port.js';

export class WrongPasswordError extends DomainError {
  constructor() {
    super('forbidden', 'invalid_password', 'The password is wrong.');
  }
}

/** Lets a signed-in user prove again who they are, before dangerous actions. */
@Injectable()
export class ConfirmUser {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Throws WrongPasswordError. A user without a password signs in again instead. */
  async confirm(user: SessionUser, password: string): Promise<void> {
    if (!(await this.signIn.isPassword(user.id, password))) throw new WrongPasswordError();
    await this.sessions.confirm(user.sessionId, this.clock.now());
  }
}

interface OwnTeam {
  readonly id: string;
  readonly name: string;
  readonly role: TeamRole;
  readonly permissions: readonly Permission[];
}

/** The teams of a user, and what the user may do in each. */
@Injectable()
export class ReadMe {
  constructor(private readonly memberships: Memberships) {}

  async teamsOf(userId: string): Promise<readonly OwnTeam[]> {
    const memberships = await this.memberships.teamsOf(userId);
    return memberships.map(({ teamId, teamName, role }) => ({
      id: teamId,
      name: teamName,
      role,
      permissions: [...permissionsOfRole(role)],
    }));
  }
}
