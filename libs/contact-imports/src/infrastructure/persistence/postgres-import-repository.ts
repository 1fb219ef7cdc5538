import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import {
  claimed,
  Database,
  DatabaseTransaction,
  keysetCondition,
  ProcessNotifications,
  Row,
  statementsOf,
} from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  ImportLease,
  ImportProgress,
  importQueued,
  ImportRepository,
  leaseSeconds,
} from '../../application/ports/import-repository.port.js';
import { ContactImport, ImportStatus } from '../../domain/contact-import.js';
import { importLimits } from '../../domain/import-errors.js';
import { Refusal } from '../../domain/row.js';
import { importColumns, importOf, ImportRow, newImport } from './import.row.js';

/** How long an import rests after an unexpected error. */
const restSeconds = 5;

@Injectable()
export class PostgresImportRepository extends ImportRepository {
  constructor(
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  async insert(contactImport: ContactImport, transaction: Transaction): Promise<void> {
    const { columns, values } = newImport(contactImport);
    const parameters = values.map((_, index) => `$${index + 1}`).join(', ');
    await statementsOf(transaction).execute({
      text: `INSERT INTO contact_imports (${columns}) VALUES (${parameters})`,
      values,
    });
    await this.notifications.send(importQueued, contactImport.id, transaction);
  }

  async find(teamId: string, id: string): Promise<ContactImport | undefined> {
    const [row] = await this.database.query<ImportRow>({
      text: `SELECT ${importColumns('i')} FROM contact_imports i WHERE i.id = $1 AND i.team_id = $2`,
      values: [id, teamId],
    });
    return row === undefined ? undefined : importOf(row);
  }

  async list(teamId: string, page: PageRequest, status: ImportStatus | undefined): Promise<Page<ContactImport>> {
    const filter = status === undefined ? [] : [status];
    const { condition, order, values } = keysetCondition(page, 2 + filter.length);
    const rows = await this.database.query<ImportRow>({
      text: `SELECT ${importColumns('i')} FROM contact_imports i
             WHERE i.team_id = $1 ${status === undefined ? '' : 'AND i.status = $2'} ${condition} ${order}`,
      values: [teamId, ...filter, ...values],
    });
    return pageOf(page, rows.map(importOf));
  }

  async countUnfinished(teamId: string, transaction?: Transaction): Promise<number> {
    const statements = transaction === undefined ? this.database : statementsOf(transaction);
    const [row] = await statements.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM contact_imports WHERE team_id = $1 AND completed_at IS NULL`,
      values: [teamId],
    });
    return row?.count ?? 0;
  }

  async claim(holder: string): Promise<ImportLease | undefined> {
    const [row] = await this.database.query<ImportRow>({
      text: `UPDATE contact_imports i
             SET holder = $1, held_until = now() + interval '${leaseSeconds} seconds', turn_at = now(), status = 'in_progress'
             WHERE ${claimed('id', `FROM contact_imports i WHERE ${waits('i')} ORDER BY i.turn_at, i.id LIMIT 1`)}
             RETURNING ${importColumns('i')}`,
      values: [holder],
    });
    return row === undefined ? undefined : { import: importOf(row), holder };
  }

  async othersWait(teamId: string): Promise<boolean> {
    const rows = await this.database.query({
      text: `SELECT FROM contact_imports i WHERE i.team_id <> $1 AND ${waits('i')} LIMIT 1`,
      values: [teamId],
    });
    return rows.length > 0;
  }

  async hold({ import: { id }, holder }: ImportLease, transaction: Transaction): Promise<boolean> {
    const rows = await statementsOf(transaction).query({
      name: 'contact-import-hold',
      text: `SELECT FROM contact_imports WHERE id = $1 AND holder = $2 AND completed_at IS NULL FOR UPDATE`,
      values: [id, holder],
    });
    return rows.length > 0;
  }

  async advance(id: string, { position, counts, refusals }: ImportProgress, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    const advanced = statements.query<{ failed: number }>({
      name: 'contact-import-advance',
      text: `UPDATE contact_imports
             SET chunk = $2, chunk_offset = $3, line = $4, total = total + $5, created = created + $6, updated = updated + $7,
                 skipped = skipped + $8, failed = failed + $9, troubles = 0,
                 held_until = now() + interval '${leaseSeconds} seconds'
             WHERE id = $1 RETURNING failed`,
      values: [
        id,
        position.chunk,
        position.offset,
        position.line,
        counts.total,
        counts.created,
        counts.updated,
        counts.skipped,
        counts.failed,
      ],
    });
    const rows = await advanced;
    if (refusals.length > 0) await this.keep(id, refusals, rows, statements);
  }

  private async keep(
    id: string,
    refusals: readonly Refusal[],
    [row]: readonly { failed: number }[],
    statements: DatabaseTransaction,
  ): Promise<void> {
    const keptBefore = (row?.failed ?? 0) - refusals.length;
    const kept = refusals.slice(0, Math.max(0, importLimits.maxKeptRefusals - keptBefore));
    if (kept.length === 0) return;
    await statements.execute({
      text: `INSERT INTO contact_import_refusals (import_id, line, column_name, value, reason)
             SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[], $5::text[])`,
      values: [
        id,
        kept.map(({ line }) => line),
        kept.map(({ column }) => column),
        kept.map(({ value }) => value),
        kept.map(({ reason }) => reason),
      ],
    });
  }

  async end(id: string, now: Date, failure: string | null, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `UPDATE contact_imports SET status = $2, completed_at = $3, failure = $4
             WHERE id = $1 AND completed_at IS NULL`,
      values: [id, failure === null ? 'completed' : 'failed', now, failure],
    });
  }

  async release({ import: { id }, holder }: ImportLease): Promise<void> {
    await this.database.execute({
      text: `UPDATE contact_imports SET holder = NULL, held_until = '-infinity', turn_at = now() WHERE id = $1 AND holder = $2`,
      values: [id, holder],
    });
  }

  async postpone({ import: { id }, holder }: ImportLease): Promise<number> {
    const [row] = await this.database.query<{ troubles: number }>({
      text: `UPDATE contact_imports SET troubles = troubles + 1, turn_at = now(),
                    held_until = now() + interval '${restSeconds} seconds'
             WHERE id = $1 AND holder = $2 RETURNING troubles`,
      values: [id, holder],
    });
    return row?.troubles ?? 0;
  }

  refusals(id: string, afterLine: number, limit: number): Promise<readonly Refusal[]> {
    return this.database.query<Row<Refusal>>({
      text: `SELECT line, column_name AS "column", value, reason FROM contact_import_refusals
             WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT $3`,
      values: [id, afterLine, limit],
    });
  }
}

/** Whether an import may be claimed: it is the oldest unfinished one of its team, so that a team has one turn at a time. */
function waits(alias: string): string {
  return `${alias}.completed_at IS NULL AND ${alias}.held_until <= now()
    AND ${alias}.id = (SELECT o.id FROM contact_imports o
                       WHERE o.team_id = ${alias}.team_id AND o.completed_at IS NULL ORDER BY o.id LIMIT 1)`;
}
