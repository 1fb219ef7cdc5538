import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, lockName, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { TopicRepository } from '../../application/ports/topic-repository.port.js';
import { Topic } from '../../domain/topic.js';

export const topicColumns = `id, team_id AS "teamId", name, description, default_subscription AS "defaultSubscription",
  visibility, created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class PostgresTopicRepository extends TopicRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(topic: Topic, max: number, transaction: Transaction): Promise<boolean> {
    const { id, teamId, name, description, defaultSubscription, visibility, createdAt, updatedAt } = topic;
    const statements = statementsOf(transaction);
    await lockName(`topics ${teamId}`, statements);
    const inserted = await statements.execute({
      text: `INSERT INTO topics (id, team_id, name, description, default_subscription, visibility, created_at, updated_at)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8
             WHERE (SELECT count(*) FROM (SELECT FROM topics WHERE team_id = $2 LIMIT $9) known) < $9`,
      values: [id, teamId, name, description, defaultSubscription, visibility, createdAt, updatedAt, max],
    });
    return inserted > 0;
  }

  async find(teamId: string, id: string): Promise<Topic | undefined> {
    const [row] = await this.database.query<Row<Topic>>({
      text: `SELECT ${topicColumns} FROM topics WHERE id = $1 AND team_id = $2`,
      values: [id, teamId],
    });
    return row;
  }

  async lock(teamId: string, id: string, transaction: Transaction): Promise<Topic | undefined> {
    const [row] = await statementsOf(transaction).query<Row<Topic>>({
      text: `SELECT ${topicColumns} FROM topics WHERE id = $1 AND team_id = $2 FOR UPDATE`,
      values: [id, teamId],
    });
    return row;
  }

  hold(ids: readonly string[], transaction: Transaction): Promise<readonly Topic[]> {
    return statementsOf(transaction).query<Row<Topic>>({
      name: 'hold-topics',
      text: `SELECT ${topicColumns} FROM topics WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE`,
      values: [ids],
    });
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Topic>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<Topic>>({
      text: `SELECT ${topicColumns} FROM topics WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows);
  }

  async update({ id, name, description, visibility, updatedAt }: Topic, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'UPDATE topics SET name = $2, description = $3, visibility = $4, updated_at = $5 WHERE id = $1',
      values: [id, name, description, visibility, updatedAt],
    });
  }

  async delete({ id }: Topic, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({ text: 'DELETE FROM topics WHERE id = $1', values: [id] });
  }
}
