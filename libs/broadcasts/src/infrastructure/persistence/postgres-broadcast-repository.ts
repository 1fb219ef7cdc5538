import { pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { BroadcastRepository } from '../../application/ports/broadcast-repository.port.js';
import { BroadcastFilter, BroadcastsPage } from '../../domain/broadcast-filter.js';
import { Broadcast } from '../../domain/broadcast.js';
import { broadcastOf, BroadcastRow, summaryColumns, valuesOf, wholeColumns, writtenColumns } from './broadcast-rows.js';

/** Broadcasts that one search looks at. */
const maxExamined = 5_000;

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

  async list(teamId: string, page: PageRequest, filter?: BroadcastFilter): Promise<BroadcastsPage> {
    if (filter !== undefined) return this.search(teamId, page, filter);
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<BroadcastRow>>({
      text: `SELECT ${summaryColumns} FROM broadcasts WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows.map(broadcastOf));
  }

  /** The last row of the answer is the last broadcast that was looked at, found or not. */
  private async search(
    teamId: string,
    page: PageRequest,
    { statuses, text }: BroadcastFilter,
  ): Promise<BroadcastsPage> {
    const { condition, order, values } = keysetCondition({ ...page, limit: maxExamined }, 5);
    const direction = page.before === undefined ? 'DESC' : 'ASC';
    const rows = await this.database.query<Row<BroadcastRow & { isMatch: boolean; no: number; examined: number }>>({
      text: `WITH examined AS (
               SELECT *, row_number() OVER (ORDER BY id ${direction})::int AS no, count(*) OVER ()::int AS examined FROM (
                 SELECT ${summaryColumns} FROM broadcasts WHERE team_id = $1 ${condition} ${order}
               ) b
             ), judged AS (
               SELECT *, ($2::text[] IS NULL OR status = ANY ($2))
                 AND ($3::text IS NULL OR name ILIKE $3 OR subject ILIKE $3) IS TRUE AS "isMatch" FROM examined
             )
             (SELECT * FROM judged WHERE "isMatch" ORDER BY no LIMIT $4)
             UNION ALL (SELECT * FROM judged WHERE no = examined AND NOT "isMatch")`,
      values: [teamId, statuses ?? null, text === undefined ? null : pattern(text), page.limit + 1, ...values],
    });
    const found = rows.filter(({ isMatch }) => isMatch);
    const { items, hasMore } = pageOf(
      page,
      found.map(({ isMatch: _match, no: _no, examined: _all, ...row }) => broadcastOf(row)),
    );
    if (hasMore) return { items, hasMore, next: found[page.limit - 1]?.id ?? null };
    const last = rows.at(-1);
    const isEnd = last === undefined || last.examined <= maxExamined;
    return { items, hasMore: !isEnd, next: isEnd ? null : last.id };
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

function pattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}
