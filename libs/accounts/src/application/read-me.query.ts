import { Injectable } from '@nestjs/common';
import { Permission, permissionsOfRole, TeamRole } from '#identity';
import { Memberships } from './ports/memberships.port.js';

export interface OwnTeam {
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
