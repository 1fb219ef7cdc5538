import type { TeamRole } from '#identity';
import { Database, Row } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { Memberships } from '../../application/ports/memberships.port.js';
import { Membership } from '../../domain/user.js';

const maxTeams = 1_000;

@Injectable()
export class PostgresMemberships extends Memberships {
  constructor(private readonly database: Database) {
    super();
  }

  async roleOf(userId: string, teamId: string): Promise<TeamRole | undefined> {
    const [member] = await this.database.query<{ role: TeamRole }>({
      name: 'role-of-member',
      text: 'SELECT role FROM team_members WHERE team_id = $1 AND user_id = $2',
      values: [teamId, userId],
    });
    return member?.role;
  }

  teamsOf(userId: string): Promise<readonly Membership[]> {
    return this.database.query<Row<Membership>>({
      text: `SELECT m.team_id AS "teamId", t.name AS "teamName", m.role
             FROM team_members m JOIN published_teams t ON t.id = m.team_id
             WHERE m.user_id = $1 ORDER BY t.name, t.id LIMIT ${maxTeams}`,
      values: [userId],
    });
  }
}
