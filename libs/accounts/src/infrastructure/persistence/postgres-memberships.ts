import type { TeamRole } from '#identity';
import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, Statement, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { Member, Memberships } from '../../application/ports/memberships.port.js';
import { Membership } from '../../domain/user.js';

const maxTeams = 1_000;
const members = `SELECT id, email, name, role, provider, "createdAt" FROM (
  SELECT m.user_id AS id, m.team_id, u.email, u.name, m.role, m.provider, m.created_at AS "createdAt"
  FROM team_members m JOIN auth."user" u ON u.id = m.user_id) AS members`;

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

  async list(teamId: string, page: PageRequest): Promise<Page<Member>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const found = await this.database.query<Row<Member>>({
      text: `${members} WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, found);
  }

  async find(teamId: string, userId: string, transaction?: Transaction): Promise<Member | undefined> {
    const statement: Statement = { text: `${members} WHERE team_id = $1 AND id = $2`, values: [teamId, userId] };
    const [member] = await (transaction === undefined ? this.database : statementsOf(transaction)).query<Row<Member>>(
      statement,
    );
    return member;
  }

  async hasAddress(teamId: string, email: string): Promise<boolean> {
    const found = await this.database.query({
      text: `SELECT 1 FROM auth."user" u JOIN team_members m ON m.user_id = u.id WHERE u.email = $2 AND m.team_id = $1`,
      values: [teamId, email],
    });
    return found.length > 0;
  }

  async count(teamId: string, role: TeamRole | undefined, transaction: Transaction): Promise<number> {
    const [row] = await statementsOf(transaction).query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM team_members WHERE team_id = $1 AND role = coalesce($2, role)',
      values: [teamId, role ?? null],
    });
    return row?.count ?? 0;
  }

  async put(
    teamId: string,
    userId: string,
    role: TeamRole,
    at: Date,
    transaction: Transaction,
    provider: string | null = null,
  ): Promise<void> {
    await statementsOf(transaction).execute({
      text: `INSERT INTO team_members (team_id, user_id, role, created_at, provider) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role`,
      values: [teamId, userId, role, at, provider],
    });
  }

  async givenBy(provider: string, userId: string): Promise<ReadonlyMap<string, TeamRole>> {
    const given = await this.database.query<{ teamId: string; role: TeamRole }>({
      text: 'SELECT team_id AS "teamId", role FROM team_members WHERE user_id = $1 AND provider = $2',
      values: [userId, provider],
    });
    return new Map(given.map(({ teamId, role }) => [teamId, role]));
  }

  async endTools(userId: string): Promise<void> {
    await this.database.execute({
      text: 'UPDATE team_members SET tools_ended_at = clock_timestamp() WHERE user_id = $1',
      values: [userId],
    });
  }

  async remove(teamId: string, userId: string, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'DELETE FROM team_members WHERE team_id = $1 AND user_id = $2',
      values: [teamId, userId],
    });
  }
}
