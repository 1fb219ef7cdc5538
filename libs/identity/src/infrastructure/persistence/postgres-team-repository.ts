import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { TeamRepository } from '../../application/ports/teams-and-api-keys.port.js';
import { Team, TeamChanges } from '../../domain/api-key.js';

const columns = 'id, name, default_from AS "defaultFrom", created_at AS "createdAt"';

@Injectable()
export class PostgresTeamRepository extends TeamRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(team: Team, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'INSERT INTO teams (id, name, default_from, created_at) VALUES ($1, $2, $3, $4)',
      values: [team.id, team.name, team.defaultFrom, team.createdAt],
    });
  }

  async anyExists(transaction: Transaction): Promise<boolean> {
    const statements = statementsOf(transaction);
    await statements.execute({ text: 'LOCK TABLE teams IN SHARE ROW EXCLUSIVE MODE' });
    return (await statements.query({ text: 'SELECT 1 FROM teams LIMIT 1' })).length > 0;
  }

  async find(teamId: string): Promise<Team | undefined> {
    const [team] = await this.database.query<Row<Team>>({
      text: `SELECT ${columns} FROM teams WHERE id = $1`,
      values: [teamId],
    });
    return team;
  }

  async oldest(transaction: Transaction): Promise<Team | undefined> {
    const [team] = await statementsOf(transaction).query<Row<Team>>({
      text: `SELECT ${columns} FROM teams ORDER BY id LIMIT 1`,
    });
    return team;
  }

  async list(page: PageRequest, search?: string): Promise<Page<Team>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const teams = await this.database.query<Row<Team>>({
      text: `SELECT ${columns} FROM teams
             WHERE ($1::text IS NULL OR strpos(folded_case(name), folded_case($1)) > 0) ${condition} ${order}`,
      values: [search ?? null, ...values],
    });
    return pageOf(page, teams);
  }

  async change(teamId: string, { name, defaultFrom }: TeamChanges): Promise<boolean> {
    const changed = await this.database.execute({
      text: `UPDATE teams SET name = coalesce($2, name), default_from = CASE WHEN $3 THEN $4 ELSE default_from END
             WHERE id = $1`,
      values: [teamId, name ?? null, defaultFrom !== undefined, defaultFrom ?? null],
    });
    return changed > 0;
  }

  async lock(teamId: string, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE',
      values: [teamId],
    });
  }
}
