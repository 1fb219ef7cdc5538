import { isUuid, ValidationError, maxReplyTo } from '#kernel';
import type { Text as BodyText } from '#kernel';
import { decodeBody } from '#http/server';
import {
  AnyObject,
  Example,
  Field,
  ListOf,
  LongText,
  OptionalField,
  PartialOf,
  Shape,
  Text,
  TextOrTexts,
} from '#http/openapi';
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

const isVariableList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= maxVariables &&
  value.every((variable: unknown) => {
    if (typeof variable !== 'object' || variable === null) return false;
    const { key, type } = variable as { key?: unknown; type?: unknown };
    return typeof key === 'string' && typeof type === 'string';
  });

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
  @Text(
    `Name for programs, in place of the id, unique in your team: at most ${maxAliasLength} letters ` +
      '(A-Z), digits and `-_.~`.',
    { optional: true, boundedByDomain: { maxLength: maxAliasLength } },
  )
  alias?: string;
  @Text('Sender of the emails whose request names none.', { optional: true }) from?: string;
  @Text(
    `Subject of the emails whose request has none, at most ${maxSubjectLength} characters. May have ` +
      'merge tags such as `{{{NAME}}}` and `{{{NAME|fallback}}}`.',
    { optional: true, boundedByDomain: { maxLength: maxSubjectLength } },
  )
  subject?: string;
  @TextOrTexts(`Addresses for replies to the emails whose request names none, at most ${maxReplyTo}.`, {
    optional: true,
    maxItems: maxReplyTo,
  })
  reply_to?: string | string[];
  @LongText(
    'Plain text body. Derived from the html of each email if it is absent. May have merge tags such as ' +
      '`{{{NAME}}}` and `{{{NAME|fallback}}}`.',
    { optional: true },
  )
  text?: BodyText;
  @ListOf(
    TemplateVariableRequest,
    `The values that the template expects from send requests, at most ${maxVariables}.`,
    {
      optional: true,
      boundedByDomain: { maxItems: maxVariables },
      allows: isVariableList,
      message: `The \`variables\` field must be an array of at most ${maxVariables} objects with a \`key\` and a \`type\`.`,
    },
  )
  variables?: TemplateVariableRequest[];
}

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
  @Text(`Name for people, at most ${maxNameLength} characters.`, { boundedByDomain: { maxLength: maxNameLength } })
  name!: string;
  @LongText(
    'HTML body. May have merge tags such as `{{{NAME}}}` and `{{{NAME|fallback}}}`. `html` and `text` ' +
      `together have at most ${maxContentBytes} bytes.`,
  )
  html!: BodyText;
}

@Shape('The fields to change. Absent ones stay as they are.')
@Example('html', 'A new subject', { subject: 'Order {{{ORDER}}} is on its way' })
export class UpdateTemplateRequest extends PartialOf(CreateTemplateRequest) {}

@Shape('Values for a preview.')
@Example('values', 'With values', { variables: { NAME: 'Ada', ORDER: 42 } })
export class PreviewTemplateRequest {
  @AnyObject('Values by key, as in a send request.', { optional: true }) variables?: Record<string, unknown>;
  @Text('Id of a version. Default: the one that was written last.', { optional: true, format: 'uuid' })
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

function wholeText(text: BodyText | undefined): string | undefined {
  if (text !== undefined && text.length > maxContentBytes) throw new TemplateTooLargeError(maxContentBytes);
  return text?.toString();
}
