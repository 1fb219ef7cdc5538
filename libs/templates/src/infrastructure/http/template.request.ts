import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import { isUuid, LargeText, ValidationError } from '#kernel';
import type { Text } from '#kernel';
import { decodeBody } from '#platform/http';
import { IsDefined, IsObject, IsOptional, IsString, ValidateBy } from 'class-validator';
import { maxVariables, RequestedVariable, variableTypes } from '../../domain/template-variable.js';
import { maxContentBytes, RequestedTemplate } from '../../domain/template-content.js';
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
export class TemplateVariableRequest {
  @ApiProperty({ type: String }) key!: string;
  @ApiProperty({ type: String, enum: [...variableTypes] }) type!: string;
  @ApiPropertyOptional({
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
  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsString({ message: 'The `alias` field must be a string.' })
  alias?: string;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsString({ message: 'The `from` field must be a string.' })
  from?: string;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsString({ message: 'The `subject` field must be a string.' })
  subject?: string;

  @ApiPropertyOptional(oneOrMore)
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `reply_to` field must be a string or an array of strings.')
  reply_to?: string | string[];

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @AllowedBy(isText, 'The `text` field must be a string.')
  text?: Text;

  @ApiPropertyOptional({ type: [TemplateVariableRequest] })
  @IsOptional()
  @AllowedBy(
    isVariableList,
    `The \`variables\` field must be an array of at most ${maxVariables} objects with a \`key\` and a \`type\`.`,
  )
  variables?: TemplateVariableRequest[];
}

/** Body of `POST /templates`. */
export class CreateTemplateRequest extends TemplateFields {
  @ApiProperty({ type: String })
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;

  @ApiProperty({ type: String })
  @IsDefined()
  @AllowedBy(isText, 'The `html` field must be a string.')
  html!: Text;
}

/** Body of `PATCH /templates/{id}`. */
export class UpdateTemplateRequest extends TemplateFields {
  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsString({ message: 'The `name` field must be a string.' })
  name?: string;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @AllowedBy(isText, 'The `html` field must be a string.')
  html?: Text;
}

/** Body of `POST /templates/{id}/preview`. */
export class PreviewTemplateRequest {
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject({ message: 'The `variables` field must be an object.' })
  variables?: Record<string, unknown>;

  @ApiPropertyOptional({ type: String, format: 'uuid' })
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
