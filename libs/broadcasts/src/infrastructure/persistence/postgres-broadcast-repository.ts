import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { BroadcastRepository } from '../../application/ports/broadcast-repository.port.js';
import { Broadcast } from '../../domain/broadcast.js';
import { broadcastOf, BroadcastRow, summaryColumns, valuesOf, wholeColumns, writtenColumns } from './broadcast-rows.js';

@Injectable()
export class PostgresBroadcastRepository extends BroadcastRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(broadcast: Broadcast, transaction: Transaction): Promise<void> {
    const parameters = writtenColumns.map((_, index) => `$${index + 1}`).join(', ');
    await statementsOf(transaction).execute({
      text: `INSERT INTO broadcasts (${writtenColumns.join(', ')}) VALUES (${parameters})`,
      values: valuesOf(broadcast),
    });
  }

  async find(teamId: string, id: string): Promise<Broadcast | undefined> {
    const [row] = await this.database.query<Row<BroadcastRow>>({
      text: `SELECT ${wholeColumns} FROM broadcasts WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    return row === undefined ? undefined : broadcastOf(row);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Broadcast>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<BroadcastRow>>({
      text: `SELECT ${summaryColumns} FROM broadcasts WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows.map(broadcastOf));
  }

  async lock(teamId: string, id: string, transaction: Transaction): Promise<Broadcast | undefined> {
    const [row] = await statementsOf(transaction).query<Row<BroadcastRow>>({
      text: `SELECT ${wholeColumns} FROM broadcasts WHERE team_id = $1 AND id = $2 FOR UPDATE`,
      values: [teamId, id],
    });
    return row === undefined ? undefined : broadcastOf(row);
  }

  async update(broadcast: Broadcast, transaction: Transaction): Promise<void> {
    const assignments = writtenColumns.slice(2).map((column, index) => `${column} = $${index + 3}`);
    const status = `$${writtenColumns.indexOf('status') + 1}`;
    assignments.push(`paused_because = CASE WHEN ${status} = 'paused' THEN paused_because END`);
    await statementsOf(transaction).execute({
      text: `UPDATE broadcasts SET ${assignments.join(', ')} WHERE id = $1 AND team_id = $2`,
      values: valuesOf(broadcast),
    });
  }

  async delete({ id, teamId }: Broadcast, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'DELETE FROM broadcasts WHERE id = $1 AND team_id = $2',
      values: [id, teamId],
    });
  }

  async lockDue(now: Date, limit: number, transaction: Transaction): Promise<readonly Broadcast[]> {
    const rows = await statementsOf(transaction).query<Row<BroadcastRow>>({
      text: `SELECT ${wholeColumns} FROM broadcasts WHERE status = 'scheduled' AND release_at <= $1
             ORDER BY release_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
      values: [now, limit],
    });
    return rows.map(broadcastOf);
  }
}
