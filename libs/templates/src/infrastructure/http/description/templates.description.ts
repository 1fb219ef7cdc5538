import { MissingFieldError, NotFoundError } from '#kernel';
import { pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { AliasTakenError, TemplateTooLargeError, UndefinedVariableError } from '../../../domain/template-errors.js';
import { maxContentBytes, parseAlias } from '../../../domain/template-content.js';
import { checkedValue, parseVariables } from '../../../domain/template-variable.js';
import { maxKeptVersions } from '../../../application/ports/template-repository.port.js';
import { decodePreview } from '../template.request.js';
import { templateSchemas } from './template-schemas.js';

const templateId = '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6';
const copyId = '0193a1f6-2c11-7a0d-8e31-b2c3d4e5f607';
const versionId = '0193a1f6-0b7e-7d26-8b07-c3d4e5f60718';
const created = '2026-11-30 20:39:59.54+00';
const published = '2026-11-30 20:41:12.3+00';
const html = '<p>Hello {{{NAME|there}}}, your order {{{ORDER}}} is on its way.</p>';
const subject = 'Your order {{{ORDER}}}';

const idOrAlias = { description: 'Id of the template, or its alias.', example: 'order-shipped' };
const reference = { object: 'template', id: templateId };
const notFound = new NotFoundError('Template');

const summary = {
  id: templateId,
  name: 'Order shipped',
  alias: 'order-shipped',
  status: 'published',
  published_at: published,
  created_at: created,
  updated_at: published,
};

const variables = [
  { key: 'NAME', type: 'string', fallback_value: 'there' },
  { key: 'ORDER', type: 'number' },
];

const contentErrors = [
  thrownBy(() => parseAlias('a b')),
  new AliasTakenError('order-shipped'),
  new UndefinedVariableError('ORDER'),
  thrownBy(() => parseVariables([{ key: 'EMAIL', type: 'string' }], [], new Date(0))),
  new TemplateTooLargeError(maxContentBytes),
];

export const apiDescription: ApiDescription = {
  tag: 'Templates',
  tagDescription:
    'Stored contents of emails, with variables. A template is written as a draft; emails are sent with the version that was ' +
    'published last, by its id or alias in `template` of a send request.',
  schemas: templateSchemas,
  operations: {
    'POST /templates': {
      operationId: 'createTemplate',
      summary: 'Create a template',
      description:
        'Creates a draft. Every merge tag in `subject`, `html` and `text` needs a variable of its name, or one of the names that ' +
        'the service fills in itself.',
      request: {
        description: 'The template.',
        examples: {
          variables: {
            summary: 'With variables',
            value: { name: 'Order shipped', alias: 'order-shipped', subject, html, variables },
          },
          plain: { summary: 'Without variables', value: { name: 'Welcome', html: '<p>Welcome!</p>' } },
        },
      },
      responses: { 201: { description: 'The draft has been created.', example: reference } },
      errors: [new MissingFieldError('name'), new MissingFieldError('html'), ...contentErrors],
    },
    'GET /templates': {
      operationId: 'listTemplates',
      summary: 'List templates',
      description: 'The templates of your team without their contents, newest first, in pages.',
      parameters: pageParameters,
      responses: {
        200: { description: 'A page of templates.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: pageErrors,
    },
    'GET /templates/{idOrAlias}': {
      operationId: 'getTemplate',
      summary: 'Get a template',
      description: 'A template with the content that was written last, published or not.',
      parameters: { idOrAlias },
      responses: {
        200: {
          description: 'The template.',
          example: {
            object: 'template',
            ...summary,
            current_version_id: versionId,
            published_version_id: versionId,
            has_unpublished_versions: false,
            from: null,
            subject,
            reply_to: null,
            html,
            text: null,
            variables: [
              {
                id: '0193a1f6-0b7e-7d27-8c18-d4e5f6071829',
                key: 'NAME',
                type: 'string',
                fallback_value: 'there',
                created_at: created,
                updated_at: created,
              },
              {
                id: '0193a1f6-0b7e-7d28-9d29-e5f60718293a',
                key: 'ORDER',
                type: 'number',
                fallback_value: null,
                created_at: created,
                updated_at: created,
              },
            ],
          },
        },
      },
      errors: [notFound],
    },
    'PATCH /templates/{idOrAlias}': {
      operationId: 'updateTemplate',
      summary: 'Change a template',
      description:
        'Changes the draft; where there is none, a draft begins with the published content. Emails are sent with the published ' +
        'version until the draft is published. `name` and `alias` change at once. `variables` replaces the whole list.',
      parameters: { idOrAlias },
      request: {
        description: 'The fields to change.',
        examples: { html: { summary: 'A new subject', value: { subject: 'Order {{{ORDER}}} is on its way' } } },
      },
      responses: { 200: { description: 'The draft has been changed.', example: reference } },
      errors: [notFound, ...contentErrors],
    },
    'DELETE /templates/{idOrAlias}': {
      operationId: 'removeTemplate',
      summary: 'Remove a template',
      description:
        'Removes a template with all of its versions. Emails that were accepted with it are sent nevertheless.',
      parameters: { idOrAlias },
      responses: { 200: { description: 'The template is removed.', example: { ...reference, deleted: true } } },
      errors: [notFound],
    },
    'POST /templates/{idOrAlias}/publish': {
      operationId: 'publishTemplate',
      summary: 'Publish a template',
      description:
        'Emails are sent with the draft from now on. The published version never changes again. An email that was accepted ' +
        'before keeps the version with which it was accepted. Without a draft nothing changes.',
      parameters: { idOrAlias },
      responses: { 200: { description: 'The draft is published.', example: reference } },
      errors: [notFound],
    },
    'POST /templates/{idOrAlias}/duplicate': {
      operationId: 'duplicateTemplate',
      summary: 'Duplicate a template',
      description:
        'Creates a draft with the content that was written last. Its name ends in ` (Copy)`, and it has no alias.',
      parameters: { idOrAlias },
      responses: { 200: { description: 'The copy.', example: { object: 'template', id: copyId } } },
      errors: [notFound],
    },
    'GET /templates/{idOrAlias}/versions': {
      operationId: 'listTemplateVersions',
      summary: 'List the versions of a template',
      description: `The last ${maxKeptVersions} published versions, newest first. An addition of Postrider.`,
      parameters: { idOrAlias },
      responses: {
        200: {
          description: 'The versions.',
          example: {
            object: 'list',
            has_more: false,
            data: [{ id: versionId, created_at: created, published_at: published, is_published: true }],
          },
        },
      },
      errors: [notFound],
    },
    'POST /templates/{idOrAlias}/preview': {
      operationId: 'previewTemplate',
      summary: 'Preview a template',
      description:
        'Renders the content that was written last, or one of the versions, with the values given. Sends nothing. An addition of ' +
        'Postrider.',
      parameters: { idOrAlias },
      request: {
        description: 'The values.',
        examples: { values: { summary: 'With values', value: { variables: { NAME: 'Ada', ORDER: 42 } } } },
      },
      responses: {
        200: {
          description: 'The rendered template.',
          example: {
            object: 'template_preview',
            id: templateId,
            version_id: versionId,
            from: null,
            reply_to: null,
            subject: 'Your order 42',
            html: '<p>Hello Ada, your order 42 is on its way.</p>',
            text: null,
            missing_variables: [],
          },
        },
      },
      errors: [
        notFound,
        new NotFoundError('Template version'),
        thrownBy(() => decodePreview({ version_id: 'x' })),
        thrownBy(() => checkedValue('ORDER', 'number', 'many')),
      ],
    },
  },
};
