import { toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Flag,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  TextsOrNull,
} from '#http/openapi';
import {
  CurrentTemplate,
  hasUnpublishedVersion,
  KeptVersion,
  statusOf,
  Template,
  type TemplatePreview,
} from '../../domain/template.js';
import { maxKeyLength, maxValueLength, TemplateVariable, variableTypes } from '../../domain/template-variable.js';
import type { VariableType } from '../../domain/template-variable.js';

const templateId = '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6';
export const versionId = '0193a1f6-0b7e-7d26-8b07-c3d4e5f60718';
export const copyId = '0193a1f6-2c11-7a0d-8e31-b2c3d4e5f607';

@Shape('A template that was created or changed.')
export class TemplateIdResponse extends ReferenceTo('template', 'Id of the template.', templateId) {}

@Shape('The template that was removed.')
export class RemovedTemplateResponse extends Deleted(TemplateIdResponse) {}

@Shape('A template without its content.')
export class TemplateSummaryResponse {
  @Id('Id of the template.', templateId) id!: string;
  @Text('Name for people.', 'Order shipped') name!: string;
  @TextOrNull('Name for programs; null if it has none.', 'order-shipped') alias!: string | null;
  @OneOf(['draft', 'published'], '`published` once a version has been published, `draft` before.', 'published')
  status!: 'draft' | 'published';
  @MomentOrNull(
    'When the version was published with which emails are sent; null for a draft.',
    '2026-11-30 20:41:12.3+00',
  )
  published_at!: string | null;
  @Moment('When the template was created.') created_at!: string;
  @Moment('When the template was last changed.', '2026-11-30 20:41:12.3+00') updated_at!: string;
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

@Shape('A value that the template expects from send requests.')
export class TemplateVariableResponse {
  @Id('Id of the variable.', '0193a1f6-0b7e-7d27-8c18-d4e5f6071829') id!: string;
  @Field(
    `Name in the tags: letters (A-Z), digits and underscores, at most ${maxKeyLength}. Upper and lower ` +
      'case make no difference.',
    { pattern: `^[A-Za-z0-9_]{1,${maxKeyLength}}$` },
    'NAME',
  )
  key!: string;
  @OneOf(
    variableTypes,
    `Type of the value: a \`string\` of at most ${maxValueLength} characters, or a \`number\`. The others ` +
      'are rendered as JSON.',
    'string',
  )
  type!: VariableType;
  @Field('Used if a send request has no value; null if it must have one.', anyValue, 'there')
  fallback_value!: unknown;
  @Moment('When the variable was defined.') created_at!: string;
  @Moment('When the variable was last changed.') updated_at!: string;
}

@Shape('A template with the content that was written last.')
export class TemplateResponse extends TemplateSummaryResponse {
  @Always('template') object!: 'template';
  @Id('Id of the version that was written last: a draft, or the published one.', versionId)
  current_version_id!: string;
  @IdOrNull('Id of the version with which emails are sent; null for a draft. An addition of Postrider.', versionId)
  published_version_id!: string | null;
  @Flag('Whether the content differs from what emails are sent with.', false) has_unpublished_versions!: boolean;
  @TextOrNull('Sender; null if each request has to name one.') from!: string | null;
  @TextOrNull('Subject; null if each request has to have one.', 'Your order {{{ORDER}}}')
  subject!: string | null;
  @TextsOrNull('Addresses for replies; null if there are none.') reply_to!: string[] | null;
  @Text('HTML body.', '<p>Hello {{{NAME|there}}}, your order {{{ORDER}}} is on its way.</p>') html!: string;
  @TextOrNull('Plain text body; null if it is derived from the html.') text!: string | null;
  @OneOf(
    ['editor', 'html'],
    'Addition of Postrider: what the bodies are made of. `editor`: the document of the editor. `html`: they were ' +
      'written since; a document is kept beside them.',
    'html',
  )
  content_source!: 'editor' | 'html';
  @ListOf(TemplateVariableResponse, 'The values that the template expects.', [
    {
      id: '0193a1f6-0b7e-7d27-8c18-d4e5f6071829',
      key: 'NAME',
      type: 'string',
      fallback_value: 'there',
      created_at: '2026-11-30 20:39:59.54+00',
      updated_at: '2026-11-30 20:39:59.54+00',
    },
    {
      id: '0193a1f6-0b7e-7d28-9d29-e5f60718293a',
      key: 'ORDER',
      type: 'number',
      fallback_value: null,
      created_at: '2026-11-30 20:39:59.54+00',
      updated_at: '2026-11-30 20:39:59.54+00',
    },
  ])
  variables!: TemplateVariableResponse[];
}

@Shape('A published version. It never changes.')
export class TemplateVersionResponse {
  @Id('Id of the version.', versionId) id!: string;
  @Moment('When it was begun.') created_at!: string;
  @Moment('When it was published.', '2026-11-30 20:41:12.3+00') published_at!: string;
  @Flag('Whether emails are sent with this version now.', true) is_published!: boolean;
}

@Shape('What an email of the template would be.')
export class TemplatePreviewResponse {
  @Always('template_preview') object!: 'template_preview';
  @Id('Id of the template.', templateId) id!: string;
  @Id('Id of the version that was rendered.', versionId) version_id!: string;
  @TextOrNull('Sender; null if each request has to name one.') from!: string | null;
  @TextsOrNull('Addresses for replies; null if there are none.') reply_to!: string[] | null;
  @TextOrNull('Rendered subject; null if each request has to have one.', 'Your order 42')
  subject!: string | null;
  @Text('Rendered html.', '<p>Hello Ada, your order 42 is on its way.</p>') html!: string;
  @TextOrNull('Rendered text; null if it is derived from the html.') text!: string | null;
  @Texts('Keys of variables without a value, with which an email would be refused.', [])
  missing_variables!: string[];
}

export const templateSummary = (template: Template): TemplateSummaryResponse =>
  toResponse(TemplateSummaryResponse, template, { status: statusOf(template) });

export const templateResponse = ({ template, version }: CurrentTemplate): TemplateResponse =>
  toResponse(TemplateResponse, template, {
    status: statusOf(template),
    has_unpublished_versions: hasUnpublishedVersion(template),
    from: version.from,
    subject: version.subject,
    reply_to: version.replyTo === null ? null : [...version.replyTo],
    html: version.html,
    text: version.text,
    content_source: version.contentSource,
    variables: version.variables.map(variableResponse),
  });

export const versionResponse = (version: KeptVersion, { publishedVersionId }: Template): TemplateVersionResponse =>
  toResponse(TemplateVersionResponse, version, { is_published: version.id === publishedVersionId });

export const previewResponse = (preview: TemplatePreview): TemplatePreviewResponse =>
  toResponse(TemplatePreviewResponse, preview, {
    id: preview.templateId,
    version_id: preview.version.id,
    from: preview.version.from,
    reply_to: preview.version.replyTo === null ? null : [...preview.version.replyTo],
    missing_variables: [...preview.missing],
  });

const variableResponse = (variable: TemplateVariable): TemplateVariableResponse =>
  toResponse(TemplateVariableResponse, variable);
