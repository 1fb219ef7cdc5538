import { ActorColumns, actorOf } from '#identity';
import type { ContentOrigin } from '#kernel';
import type { VariableType, VariableValue } from '../../domain/template-variable.js';
import { CurrentTemplate, Template, TemplateContent, TemplateVersion } from '../../domain/template.js';

/** A variable in `template_versions.variables`. */
export interface StoredVariable {
  readonly id: string;
  readonly key: string;
  readonly type: VariableType;
  readonly fallbackValue: VariableValue | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ContentRow {
  readonly from: string | null;
  readonly subject: string | null;
  readonly replyTo: string[] | null;
  readonly html: string;
  readonly text: string | null;
  readonly variables: readonly StoredVariable[];
}

export interface VersionRow extends ContentRow, ContentOrigin, ActorColumns {
  readonly versionId: string;
  readonly templateId: string;
  readonly versionCreatedAt: Date;
  readonly versionPublishedAt: Date | null;
}

export const templateColumns = `t.id, t.team_id AS "teamId", t.name, t.alias, t.current_version_id AS "currentVersionId",
  t.published_version_id AS "publishedVersionId", t.published_at AS "publishedAt", t.created_at AS "createdAt",
  t.updated_at AS "updatedAt"`;

export const contentColumns = `v."from", v.subject, v.reply_to AS "replyTo", v.html, v.text, v.variables`;

export const versionColumns = `v.id AS "versionId", v.template_id AS "templateId", v.created_at AS "versionCreatedAt",
  v.published_at AS "versionPublishedAt", v.document, v.content_source AS "contentSource",
  v.content_revision AS "contentRevision", v.api_key_id, v.actor_kind, v.actor_id, ${contentColumns}`;

export function contentOf({ from, subject, replyTo, html, text, variables }: ContentRow): TemplateContent {
  return {
    from,
    subject,
    replyTo,
    html,
    text,
    variables: variables.map((one) => ({
      ...one,
      createdAt: new Date(one.createdAt),
      updatedAt: new Date(one.updatedAt),
    })),
  };
}

export function versionOf(row: VersionRow): TemplateVersion {
  return {
    ...contentOf(row),
    document: row.document,
    contentSource: row.contentSource,
    contentRevision: row.contentRevision,
    id: row.versionId,
    templateId: row.templateId,
    createdAt: row.versionCreatedAt,
    publishedAt: row.versionPublishedAt,
    actor: actorOf(row),
  };
}

export function currentOf(row: Template & VersionRow): CurrentTemplate {
  const { id, teamId, name, alias, currentVersionId, publishedVersionId, publishedAt, createdAt, updatedAt } = row;
  return {
    template: { id, teamId, name, alias, currentVersionId, publishedVersionId, publishedAt, createdAt, updatedAt },
    version: versionOf(row),
  };
}
