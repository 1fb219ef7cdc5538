import { actorColumns, TeamRepository } from '#identity';
import { isUuid, Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, Statement, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { maxKeptVersions, TemplateRepository } from '../../application/ports/template-repository.port.js';
import { CurrentTemplate, KeptVersion, Template, TemplateVersion } from '../../domain/template.js';
import { currentOf, templateColumns, versionColumns, versionOf, VersionRow } from './template-rows.js';

@Injectable()
export class PostgresTemplateRepository extends TemplateRepository {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamRepository,
  ) {
    super();
  }

  async find(teamId: string, idOrAlias: string): Promise<CurrentTemplate | undefined> {
    const [row] = await this.database.query<Row<Template & VersionRow>>(currentStatement(teamId, idOrAlias));
    return row === undefined ? undefined : currentOf(row);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Template>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<Template>>({
      text: `SELECT ${templateColumns} FROM templates t WHERE t.team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows);
  }

  versions(teamId: string, templateId: string): Promise<readonly KeptVersion[]> {
    return this.database.query<Row<KeptVersion>>({
      text: `SELECT id, created_at AS "createdAt", published_at AS "publishedAt" FROM template_versions
             WHERE team_id = $1 AND template_id = $2 AND published_at IS NOT NULL ORDER BY id DESC`,
      values: [teamId, templateId],
    });
  }

  async version(teamId: string, templateId: string, versionId: string): Promise<TemplateVersion | undefined> {
    const [row] = await this.database.query<Row<VersionRow>>({
      text: `SELECT ${versionColumns} FROM template_versions v WHERE v.team_id = $1 AND v.template_id = $2 AND v.id = $3`,
      values: [teamId, templateId, versionId],
    });
    return row === undefined ? undefined : versionOf(row);
  }

  async lock(teamId: string, idOrAlias: string, transaction: Transaction): Promise<CurrentTemplate | undefined> {
    const statements = statementsOf(transaction);
    // Locked first, and read afterwards: a version that another transaction wrote while this one waited is seen.
    const { condition, value } = conditionOf(idOrAlias);
    await statements.query({
      text: `SELECT FROM templates t WHERE t.team_id = $1 AND ${condition} FOR UPDATE`,
      values: [teamId, value],
    });
    const [row] = await statements.query<Row<Template & VersionRow>>(currentStatement(teamId, idOrAlias));
    return row === undefined ? undefined : currentOf(row);
  }

  async idOfAlias(teamId: string, alias: string, transaction: Transaction): Promise<string | undefined> {
    await this.teams.lock(teamId, transaction);
    const [row] = await statementsOf(transaction).query<{ id: string }>({
      text: 'SELECT id FROM templates WHERE team_id = $1 AND alias = $2',
      values: [teamId, alias],
    });
    return row?.id;
  }

  async save({ template, version }: CurrentTemplate, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    await statements.execute({
      text: `INSERT INTO templates (id, team_id, name, alias, current_version_id, published_version_id, published_at, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (id) DO UPDATE SET name = $3, alias = $4, current_version_id = $5, published_version_id = $6,
               published_at = $7, updated_at = $9`,
      values: [
        template.id,
        template.teamId,
        template.name,
        template.alias,
        template.currentVersionId,
        template.publishedVersionId,
        template.publishedAt,
        template.createdAt,
        template.updatedAt,
      ],
    });
    await statements.execute(versionStatement(template.teamId, version));
    await statements.execute({
      text: `DELETE FROM template_versions WHERE template_id = $1 AND published_at IS NOT NULL AND id <= (
               SELECT id FROM template_versions WHERE template_id = $1 AND published_at IS NOT NULL
               ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      values: [template.id, maxKeptVersions],
    });
  }

  async remove(teamId: string, idOrAlias: string): Promise<string | undefined> {
    const { condition, value } = conditionOf(idOrAlias);
    const [row] = await this.database.query<{ id: string }>({
      text: `DELETE FROM templates t WHERE t.team_id = $1 AND ${condition} RETURNING t.id`,
      values: [teamId, value],
    });
    return row?.id;
  }
}

function conditionOf(idOrAlias: string): { readonly condition: string; readonly value: string } {
  return { condition: isUuid(idOrAlias) ? 't.id = $2' : 't.alias = $2', value: idOrAlias };
}

function currentStatement(teamId: string, idOrAlias: string): Statement {
  const { condition, value } = conditionOf(idOrAlias);
  return {
    text: `SELECT ${templateColumns}, ${versionColumns}
           FROM templates t JOIN template_versions v ON v.id = t.current_version_id
           WHERE t.team_id = $1 AND ${condition}`,
    values: [teamId, value],
  };
}

/** The condition at the end is what keeps published versions as they are. */
function versionStatement(teamId: string, version: TemplateVersion): Statement {
  const { api_key_id, actor_kind, actor_id } = actorColumns(version.actor);
  return {
    text: `INSERT INTO template_versions AS v (id, template_id, team_id, "from", subject, reply_to, html, text, variables, created_at,
             published_at, api_key_id, actor_kind, actor_id, document, content_source, content_revision)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12, $13, $14, $15, $16, $17)
           ON CONFLICT (id) DO UPDATE SET "from" = $4, subject = $5, reply_to = $6, html = $7, text = $8, variables = $9::jsonb,
             published_at = $11, api_key_id = $12, actor_kind = $13, actor_id = $14, document = $15, content_source = $16,
             content_revision = $17
           WHERE v.published_at IS NULL`,
    values: [
      version.id,
      version.templateId,
      teamId,
      version.from,
      version.subject,
      version.replyTo,
      version.html,
      version.text,
      JSON.stringify(version.variables),
      version.createdAt,
      version.publishedAt,
      api_key_id ?? null,
      actor_kind ?? null,
      actor_id ?? null,
      version.document,
      version.contentSource,
      version.contentRevision,
    ],
  };
}
