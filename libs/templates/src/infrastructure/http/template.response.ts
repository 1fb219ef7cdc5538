import { timestamp } from '#platform/http';
import {
  Always,
  ApiProperty,
  Flag,
  Id,
  IdOrNull,
  Moment,
  MomentOrNull,
  OneOf,
  Text,
  TextOrNull,
  Texts,
  TextsOrNull,
} from '#platform/openapi';
import type { TemplatePreview } from '../../domain/template-preview.js';
import { TemplateVariable, variableTypes } from '../../domain/template-variable.js';
import type { VariableType } from '../../domain/template-variable.js';
import { CurrentTemplate, hasUnpublishedVersion, KeptVersion, statusOf, Template } from '../../domain/template.js';

export class TemplateIdResponse {
  @OneOf('template') object!: 'template';
  @Id() id!: string;
}

export class RemovedTemplateResponse extends TemplateIdResponse {
  @Always(true) deleted!: true;
}

export class TemplateSummaryResponse {
  @Id() id!: string;
  @Text() name!: string;
  @TextOrNull() alias!: string | null;
  @OneOf('draft', 'published') status!: 'draft' | 'published';
  @MomentOrNull() published_at!: string | null;
  @Moment() created_at!: string;
  @Moment() updated_at!: string;
}

const anyValue = {
  nullable: true,
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
  ],
};

export class TemplateVariableResponse {
  @Id() id!: string;
  @Text() key!: string;
  @OneOf(...variableTypes) type!: VariableType;
  @ApiProperty(anyValue) fallback_value!: unknown;
  @Moment() created_at!: string;
  @Moment() updated_at!: string;
}

export class TemplateResponse extends TemplateSummaryResponse {
  @OneOf('template') object!: 'template';
  @Id() current_version_id!: string;
  @IdOrNull() published_version_id!: string | null;
  @Flag() has_unpublished_versions!: boolean;
  @TextOrNull() from!: string | null;
  @TextOrNull() subject!: string | null;
  @TextsOrNull() reply_to!: string[] | null;
  @Text() html!: string;
  @TextOrNull() text!: string | null;
  @ApiProperty({ type: [TemplateVariableResponse] }) variables!: TemplateVariableResponse[];
}

export class TemplateVersionResponse {
  @Id() id!: string;
  @Moment() created_at!: string;
  @Moment() published_at!: string;
  @Flag() is_published!: boolean;
}

export class TemplatePreviewResponse {
  @OneOf('template_preview') object!: 'template_preview';
  @Id() id!: string;
  @Id() version_id!: string;
  @TextOrNull() from!: string | null;
  @TextsOrNull() reply_to!: string[] | null;
  @TextOrNull() subject!: string | null;
  @Text() html!: string;
  @TextOrNull() text!: string | null;
  @Texts() missing_variables!: string[];
}

export function templateSummary(template: Template): TemplateSummaryResponse {
  const { id, name, alias, publishedAt, createdAt, updatedAt } = template;
  return {
    id,
    name,
    alias,
    status: statusOf(template),
    published_at: publishedAt === null ? null : timestamp(publishedAt),
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}

export function templateResponse({ template, version }: CurrentTemplate): TemplateResponse {
  return {
    object: 'template',
    ...templateSummary(template),
    current_version_id: template.currentVersionId,
    published_version_id: template.publishedVersionId,
    has_unpublished_versions: hasUnpublishedVersion(template),
    from: version.from,
    subject: version.subject,
    reply_to: version.replyTo === null ? null : [...version.replyTo],
    html: version.html,
    text: version.text,
    variables: version.variables.map(variableResponse),
  };
}

export function versionResponse(version: KeptVersion, { publishedVersionId }: Template): TemplateVersionResponse {
  return {
    id: version.id,
    created_at: timestamp(version.createdAt),
    published_at: timestamp(version.publishedAt),
    is_published: version.id === publishedVersionId,
  };
}

export function previewResponse(preview: TemplatePreview): TemplatePreviewResponse {
  const { templateId, version, subject, html, text, missing } = preview;
  return {
    object: 'template_preview',
    id: templateId,
    version_id: version.id,
    from: version.from,
    reply_to: version.replyTo === null ? null : [...version.replyTo],
    subject,
    html,
    text,
    missing_variables: [...missing],
  };
}

function variableResponse({
  id,
  key,
  type,
  fallbackValue,
  createdAt,
  updatedAt,
}: TemplateVariable): TemplateVariableResponse {
  return {
    id,
    key,
    type,
    fallback_value: fallbackValue,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}
