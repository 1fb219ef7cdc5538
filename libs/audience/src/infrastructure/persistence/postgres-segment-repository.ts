import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, lockName, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { SegmentRepository } from '../../application/ports/segment-repository.port.js';
import { Segment } from '../../domain/segment.js';

const columns = 'id, team_id AS "teamId", name, filter, created_at AS "createdAt", updated_at AS "updatedAt"';

@Injectable()
export class PostgresSegmentRepository extends SegmentRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(segment: Segment, max: number, transaction: Transaction): Promise<boolean> {
    const { id, teamId, name, filter, createdAt, updatedAt } = segment;
    const statements = statementsOf(transaction);
    await lockName(`segments ${teamId}`, statements);
    const inserted = await statements.execute({
      text: `INSERT INTO segments (id, team_id, name, filter, created_at, updated_at)
             SELECT $1, $2, $3, $4, $5, $6
             WHERE (SELECT count(*) FROM (SELECT FROM segments WHERE team_id = $2 LIMIT $7) known) < $7`,
      values: [id, teamId, name, filter === null ? null : JSON.stringify(filter), createdAt, updatedAt, max],
    });
    return inserted > 0;
  }

  async find(teamId: string, id: string): Promise<Segment | undefined> {
    const [row] = await this.database.query<Row<Segment>>({
      text: `SELECT ${columns} FROM segments WHERE id = $1 AND team_id = $2`,
      values: [id, teamId],
    });
    return row;
  }

  hold(ids: readonly string[], transaction: Transaction): Promise<readonly Segment[]> {
    return statementsOf(transaction).query<Row<Segment>>({
      name: 'hold-segments',
      text: `SELECT ${columns} FROM segments WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE`,
      values: [ids],
    });
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Segment>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<Segment>>({
      text: `SELECT ${columns} FROM segments WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows);
  }

  async update({ id, teamId, name, filter, updatedAt }: Segment, transaction: Transaction): Promise<boolean> {
    const updated = await statementsOf(transaction).execute({
      text: 'UPDATE segments SET name = $3, filter = $4, updated_at = $5 WHERE id = $1 AND team_id = $2',
      values: [id, teamId, name, filter === null ? null : JSON.stringify(filter), updatedAt],
    });
    return updated > 0;
  }

  async delete(teamId: string, id: string, transaction: Transaction): Promise<boolean> {
    const removed = await statementsOf(transaction).execute({
      text: 'DELETE FROM segments WHERE id = $1 AND team_id = $2',
      values: [id, teamId],
    });
    return removed > 0;
  }

  async count(teamId: string): Promise<number> {
    const [row] = await this.database.query<{ segments: number }>({
      text: 'SELECT count(*)::int AS segments FROM segments WHERE team_id = $1',
      values: [teamId],
    });
    return row?.segments ?? 0;
  }
}
