import { isUuid, LargeText, ValidationError, maxReplyTo } from '#kernel';
import type { Text } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Field, OptionalField, Shape } from '#http/openapi';
import { IsDefined, IsObject, IsOptional, IsString, ValidateBy } from 'class-validator';
import {
  maxKeyLength,
  maxValueLength,
  maxVariables,
  RequestedVariable,
  variableTypes,
} from '../../domain/template-variable.js';
import {
  maxAliasLength,
  maxContentBytes,
  maxNameLength,
  maxSubjectLength,
  RequestedTemplate,
} from '../../domain/template-content.js';
import { TemplateTooLargeError } from '../../domain/template-errors.js';

const AllowedBy = (validate: (value: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy({ name: 'allowedBy', validator: { validate, defaultMessage: () => message } });

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof LargeText;

const isStringOrStrings = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const isVariableList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= maxVariables &&
  value.every((variable: unknown) => {
    if (typeof variable !== 'object' || variable === null) return false;
    const { key, type } = variable as { key?: unknown; type?: unknown };
    return typeof key === 'string' && typeof type === 'string';
  });

const oneOrMore = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

/** A variable of a request (docs/wire-contract.md section 16.2). */
@Shape('A value that the template expects from send requests.')
export class TemplateVariableRequest {
  @Field(
    `Name in the tags: letters (A-Z), digits and underscores, at most ${maxKeyLength}. Upper and lower ` +
      'case make no difference.',
    { pattern: `^[A-Za-z0-9_]{1,${maxKeyLength}}$` },
  )
  key!: string;
  @Field(
    `Type of the value: a \`string\` of at most ${maxValueLength} characters, or a \`number\`. The others ` +
      'are rendered as JSON.',
    { enum: [...variableTypes] },
  )
  type!: string;
  @OptionalField('Used where a send request has no value. Without it, the request must have one.', {
    nullable: true,
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'object' },
      { type: 'array', items: {} },
    ],
  })
  fallback_value?: unknown;
}

class TemplateFields {
  @OptionalField(
    `Name for programs, in place of the id, unique in your team: at most ${maxAliasLength} letters ` +
      '(A-Z), digits and `-_.~`.',
    { maxLength: maxAliasLength },
  )
  @IsOptional()
  @IsString({ message: 'The `alias` field must be a string.' })
  alias?: string;

  @OptionalField('Sender of the emails whose request names none.')
  @IsOptional()
  @IsString({ message: 'The `from` field must be a string.' })
  from?: string;

  @OptionalField(
    `Subject of the emails whose request has none, at most ${maxSubjectLength} characters. May have ` +
      'merge tags such as `{{{NAME}}}` and `{{{NAME|fallback}}}`.',
    { maxLength: maxSubjectLength },
  )
  @IsOptional()
  @IsString({ message: 'The `subject` field must be a string.' })
  subject?: string;

  @OptionalField(`Addresses for replies to the emails whose request names none, at most ${maxReplyTo}.`, {
    ...oneOrMore,
    oneOf: [{ type: 'string' }, { type: 'array', maxItems: maxReplyTo, items: { type: 'string' } }],
  })
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `reply_to` field must be a string or an array of strings.')
  reply_to?: string | string[];

  @OptionalField(
    'Plain text body. Derived from the html of each email if it is absent. May have merge tags such as ' +
      '`{{{NAME}}}` and `{{{NAME|fallback}}}`.',
  )
  @IsOptional()
  @AllowedBy(isText, 'The `text` field must be a string.')
  text?: Text;

  @OptionalField(`The values that the template expects from send requests, at most ${maxVariables}.`, {
    type: [TemplateVariableRequest],
    maxItems: maxVariables,
  })
  @IsOptional()
  @AllowedBy(
    isVariableList,
    `The \`variables\` field must be an array of at most ${maxVariables} objects with a \`key\` and a \`type\`.`,
  )
  variables?: TemplateVariableRequest[];
}

/** Body of `POST /templates`. */
@Shape('A template.')
@Example('variables', 'With variables', {
  name: 'Order shipped',
  alias: 'order-shipped',
  subject: 'Your order {{{ORDER}}}',
  html: '<p>Hello {{{NAME|there}}}, your order {{{ORDER}}} is on its way.</p>',
  variables: [
    { key: 'NAME', type: 'string', fallback_value: 'there' },
    { key: 'ORDER', type: 'number' },
  ],
})
@Example('plain', 'Without variables', { name: 'Welcome', html: '<p>Welcome!</p>' })
export class CreateTemplateRequest extends TemplateFields {
  @Field(`Name for people, at most ${maxNameLength} characters.`, { maxLength: maxNameLength })
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;

  @Field(
    'HTML body. May have merge tags such as `{{{NAME}}}` and `{{{NAME|fallback}}}`. `html` and `text` ' +
      `together have at most ${maxContentBytes} bytes.`,
  )
  @IsDefined()
  @AllowedBy(isText, 'The `html` field must be a string.')
  html!: Text;
}

/** Body of `PATCH /templates/{id}`. */
@Shape('The fields to change. Absent ones stay as they are.')
@Example('html', 'A new subject', { subject: 'Order {{{ORDER}}} is on its way' })
export class UpdateTemplateRequest extends TemplateFields {
  @OptionalField(`Name for people, at most ${maxNameLength} characters.`, { maxLength: maxNameLength })
  @IsOptional()
  @IsString({ message: 'The `name` field must be a string.' })
  name?: string;

  @OptionalField(
    'HTML body. May have merge tags such as `{{{NAME}}}` and `{{{NAME|fallback}}}`. `html` and `text` ' +
      `together have at most ${maxContentBytes} bytes.`,
  )
  @IsOptional()
  @AllowedBy(isText, 'The `html` field must be a string.')
  html?: Text;
}

/** Body of `POST /templates/{id}/preview`. */
@Shape('Values for a preview.')
@Example('values', 'With values', { variables: { NAME: 'Ada', ORDER: 42 } })
export class PreviewTemplateRequest {
  @OptionalField('Values by key, as in a send request.', { type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject({ message: 'The `variables` field must be an object.' })
  variables?: Record<string, unknown>;

  @OptionalField('Id of a version. Default: the one that was written last.', { format: 'uuid' })
  @IsOptional()
  @IsString({ message: 'The `version_id` field must be a string.' })
  version_id?: string;
}

export function decodeNewTemplate(body: unknown): RequestedTemplate {
  return requested(decodeBody(CreateTemplateRequest, body));
}

export function decodeTemplateChanges(body: unknown): RequestedTemplate {
  return requested(decodeBody(UpdateTemplateRequest, body ?? {}));
}

export function decodePreview(body: unknown): {
  readonly variables: Record<string, unknown>;
  readonly versionId?: string;
} {
  const { variables = {}, version_id } = decodeBody(PreviewTemplateRequest, body ?? {});
  if (version_id !== undefined && !isUuid(version_id)) {
    throw new ValidationError('The `version_id` field must be a valid UUID.');
  }
  return { variables, versionId: version_id?.toLowerCase() };
}

function requested(fields: CreateTemplateRequest | UpdateTemplateRequest): RequestedTemplate {
  const { name, alias, from, subject, reply_to, html, text, variables } = fields;
  return {
    name,
    alias,
    from,
    subject,
    replyTo: typeof reply_to === 'string' ? [reply_to] : reply_to,
    html: wholeText(html),
    text: wholeText(text),
    variables: variables?.map(({ key, type, fallback_value }): RequestedVariable => ({
      key,
      type,
      fallbackValue: fallback_value,
    })),
  };
}

function wholeText(text: Text | undefined): string | undefined {
  if (text !== undefined && text.length > maxContentBytes) throw new TemplateTooLargeError(maxContentBytes);
  return text?.toString();
}
