import { Injectable } from '@nestjs/common';
import { firstIdAt, Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, ReadDatabase, Row, Statement } from '#postgres/database';
import { UnindexedRows } from '#postgres/privacy';
import { Config } from '#platform/config';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { AuditLog, BegunChange, ChangeOutcome } from '../../application/ports/audit-log.port.js';
import { AuditActor, AuditEntry } from '../../domain/audit-entry.js';

interface EntryRow extends Omit<AuditEntry, 'actor' | 'outcome' | 'tool'> {
  readonly outcome: 'done' | 'failed' | null;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly grantId: string | null;
  readonly toolName: string | null;
}

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(
    private readonly database: Database,
    private readonly reads: ReadDatabase,
  ) {
    super();
  }

  async begin({ id, teamId, action, actor, tool, address, targetId }: BegunChange): Promise<void> {
    const actorId = 'id' in actor ? actor.id : null;
    await this.database.execute({
      text: `INSERT INTO audit_entries (id, team_id, action, actor_kind, actor_id, grant_id, tool_name, address, target_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [id, teamId, action, actor.kind, actorId, tool?.grantId ?? null, tool?.name ?? null, address, targetId],
    });
  }

  async finish(id: string, { outcome, targetId, before, after }: ChangeOutcome): Promise<void> {
    await this.database.execute({
      text: 'UPDATE audit_entries SET outcome = $2, target_id = $3, before = $4, after = $5 WHERE id = $1',
      values: [id, outcome, targetId, json(before), json(after)],
    });
  }

  async withdraw(id: string): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM audit_entries WHERE id = $1', values: [id] });
  }

  ofTeam(teamId: string, page: PageRequest): Promise<Page<AuditEntry>> {
    return this.list(teamId, page);
  }

  ofAll(page: PageRequest): Promise<Page<AuditEntry>> {
    return this.list(undefined, page);
  }

  private async list(teamId: string | undefined, page: PageRequest): Promise<Page<AuditEntry>> {
    const { condition, order, values } = keysetCondition(page, teamId === undefined ? 1 : 2);
    const rows = await this.reads.query<Row<EntryRow>>({
      text: `SELECT id, team_id AS "teamId", action, outcome, actor_kind AS "actorKind", actor_id AS "actorId",
                    grant_id AS "grantId", tool_name AS "toolName", address, target_id AS "targetId", before, after
             FROM audit_entries WHERE ${teamId === undefined ? 'true' : 'team_id = $1'} ${condition} ${order}`,
      values: [...(teamId === undefined ? [] : [teamId]), ...values],
    });
    return pageOf(page, rows.map(entryOf));
  }
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function entryOf({ actorKind, actorId, grantId, toolName, outcome, ...entry }: EntryRow): AuditEntry {
  const actor = (actorId === null ? { kind: actorKind } : { kind: actorKind, id: actorId }) as AuditActor;
  const tool = grantId === null ? null : { grantId, name: toolName ?? '' };
  return { ...entry, outcome: outcome ?? 'unknown', actor, tool };
}

/** The changes that name an address. Who changed something and when stays, without what was changed. */
@Injectable()
export class AuditData extends UnindexedRows {
  readonly name = 'audit';

  protected readonly portion = `
    SELECT id, action, target_id, before, after FROM audit_entries WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

  protected readonly names = `concat(target_id, ' ', before::text, ' ', after::text) ~ $4`;

  protected readonly record = `
    json_build_object('id', id, 'action', action, 'target_id', target_id, 'before', before, 'after', after)`;

  protected readonly clear = `
    UPDATE audit_entries SET before = NULL, after = NULL,
      target_id = CASE WHEN target_id ~ $3 THEN 'erased' ELSE target_id END
    WHERE team_id = $1 AND id = ANY ($2::uuid[])`;
}

const dayMs = 86_400_000;

/** Removes entries that are older than AUDIT_DAYS. */
@Injectable()
export class AuditPurge extends Purge {
  constructor(
    purges: Purges,
    private readonly config: Config,
  ) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    const cutoff = new Date(now.getTime() - this.config.values.auditDays * dayMs);
    return [
      {
        text: `DELETE FROM audit_entries WHERE id = ANY (ARRAY(
                 SELECT id FROM audit_entries WHERE id < $1 LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(cutoff)],
      },
    ];
  }
}
