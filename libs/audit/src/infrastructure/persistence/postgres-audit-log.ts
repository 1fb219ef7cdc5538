import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, ReadDatabase, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
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
