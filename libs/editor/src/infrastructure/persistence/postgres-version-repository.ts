import { ActorColumns, actorColumns, actorOf } from '#identity';
import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, lockName, Row, Statement } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { VersionRepository } from '../../application/ports/contents.port.js';
import {
  ContentRef,
  ContentVersion,
  maxNamedVersions,
  maxPresences,
  maxUnnamedVersions,
  ResourceType,
  versionSpanMs,
  VersionSummary,
} from '../../domain/content.js';

interface SummaryRow extends ActorColumns {
  readonly id: string;
  readonly resourceType: ResourceType;
  readonly resourceId: string;
  readonly name: string | null;
  readonly kind: 'editor' | 'html';
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface VersionRow extends SummaryRow {
  readonly teamId: string;
  readonly document: string | null;
  readonly html: string | null;
  readonly text: string | null;
}

const columns = `id, resource_type AS "resourceType", resource_id AS "resourceId", name, kind, created_at AS "createdAt",
  updated_at AS "updatedAt", api_key_id, actor_kind, actor_id`;

const inserted = `INSERT INTO editor_versions (id, team_id, resource_type, resource_id, name, kind, document, html, text, api_key_id,
  actor_kind, actor_id, created_at, updated_at)`;

/** @param kept the parameter with the number of unnamed versions that stay, the newest */
const excess = (kept: string): string => `
  DELETE FROM editor_versions WHERE team_id = $2 AND resource_id = $4 AND name IS NULL AND id <= (
    SELECT id FROM editor_versions WHERE team_id = $2 AND resource_id = $4 AND name IS NULL
    ORDER BY id DESC OFFSET ${kept} LIMIT 1)`;

@Injectable()
export class PostgresVersionRepository extends VersionRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async record(version: ContentVersion): Promise<void> {
    await this.database.execute({
      text: `WITH newest AS (
               SELECT id, created_at, name IS NULL AND kind = $6 AND NOT is_closed AS is_open,
                 actor_kind IS NOT DISTINCT FROM $11 AND actor_id IS NOT DISTINCT FROM $12 AND api_key_id IS NOT DISTINCT FROM $10 AS is_own
               FROM editor_versions WHERE team_id = $2 AND resource_id = $4 ORDER BY id DESC LIMIT $17
             ), extended AS (
               UPDATE editor_versions SET document = $7, html = $8, text = $9, updated_at = $14
               WHERE id = (SELECT id FROM newest
                           WHERE is_open AND is_own AND created_at > $13::timestamptz - $15 * interval '1 ms'
                           ORDER BY id DESC LIMIT 1)
                 AND id > ALL (SELECT id FROM newest WHERE NOT is_open)
               RETURNING id
             ), excess AS (${excess('$16')})
             ${inserted} SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::uuid, $11, $12::uuid, $13, $14
             WHERE NOT EXISTS (SELECT FROM extended)`,
      values: [...valuesOf(version), versionSpanMs, maxUnnamedVersions - 1, maxPresences],
    });
  }

  async close(version: ContentVersion): Promise<void> {
    await this.database.execute({
      text: `WITH closed AS (
               UPDATE editor_versions SET is_closed = true
               WHERE id = (SELECT id FROM editor_versions WHERE team_id = $2 AND resource_id = $4 ORDER BY id DESC LIMIT 1)
                 AND document IS NOT DISTINCT FROM $7 AND html IS NOT DISTINCT FROM $8 AND text IS NOT DISTINCT FROM $9
               RETURNING id
             ), excess AS (${excess('$15')})
             ${inserted.replace(')', ', is_closed)')}
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::uuid, $11, $12::uuid, $13, $14, true
             WHERE NOT EXISTS (SELECT FROM closed)`,
      values: [...valuesOf(version), maxUnnamedVersions - 1],
    });
  }

  async add(version: ContentVersion): Promise<boolean> {
    return this.withName(version.teamId, {
      text: `WITH excess AS (${excess('$16')})
             ${inserted} SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::uuid, $11, $12::uuid, $13, $14
             WHERE (SELECT count(*) FROM editor_versions
                    WHERE team_id = $2 AND resource_id = $4 AND name IS NOT NULL) < $15`,
      // Versions that lose their names come to those without one, so that keeping more of them must not last for ever.
      values: [...valuesOf(version), maxNamedVersions, maxUnnamedVersions],
    });
  }

  async list(teamId: string, ref: ContentRef, page: PageRequest): Promise<Page<VersionSummary>> {
    const { condition, order, values } = keysetCondition(page, 4);
    const rows = await this.database.query<Row<SummaryRow>>({
      text: `SELECT ${columns} FROM editor_versions
             WHERE team_id = $1 AND resource_id = $2 AND resource_type = $3 ${condition} ${order}`,
      values: [teamId, ref.id, ref.type, ...values],
    });
    return pageOf(page, rows.map(summaryOf));
  }

  async find(teamId: string, id: string): Promise<ContentVersion | undefined> {
    const [row] = await this.database.query<Row<VersionRow>>({
      text: `SELECT ${columns}, team_id AS "teamId", document, html, text FROM editor_versions WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    if (row === undefined) return undefined;
    const { kind: _kind, ...summary } = summaryOf(row);
    const content =
      row.kind === 'editor'
        ? ({ kind: 'editor', document: row.document ?? '' } as const)
        : ({ kind: 'html', html: row.html ?? '', text: row.text } as const);
    return { ...summary, teamId: row.teamId, content };
  }

  async rename(teamId: string, id: string, name: string | null): Promise<boolean> {
    return this.withName(teamId, {
      text: `UPDATE editor_versions v SET name = $3 WHERE team_id = $1 AND id = $2
               AND ($3::text IS NULL OR name IS NOT NULL OR
                    (SELECT count(*) FROM editor_versions o
                     WHERE o.team_id = $1 AND o.resource_id = v.resource_id AND o.name IS NOT NULL) < $4)`,
      values: [teamId, id, name, maxNamedVersions],
    });
  }

  private async withName(teamId: string, statement: Statement): Promise<boolean> {
    const written = await this.database.run(async (transaction) => {
      await lockName(`named versions ${teamId}`, transaction);
      return transaction.execute(statement);
    });
    return written > 0;
  }
}

function summaryOf(row: SummaryRow): VersionSummary {
  const { id, resourceType: type, resourceId, name, kind, createdAt, updatedAt } = row;
  return { id, ref: { type, id: resourceId }, name, kind, createdAt, updatedAt, actor: actorOf(row) };
}

/** In the order of the columns that statements write. */
function valuesOf({ id, teamId, ref, name, content, createdAt, updatedAt, actor }: ContentVersion): unknown[] {
  const { api_key_id, actor_kind, actor_id } = actorColumns(actor);
  const isDocument = content.kind === 'editor';
  return [
    id,
    teamId,
    ref.type,
    ref.id,
    name,
    content.kind,
    isDocument ? content.document : null,
    isDocument ? null : content.html,
    isDocument ? null : content.text,
    api_key_id ?? null,
    actor_kind ?? null,
    actor_id ?? null,
    createdAt,
    updatedAt,
  ];
}
