import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import { DomainError, isUuid, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody } from '#platform/http';
import { ArrayMaxSize, ArrayMinSize, IsDefined, IsOptional, IsString } from 'class-validator';
import {
  parseSuppressedAddress,
  SuppressionOrigin,
  suppressionKey,
  suppressionOrigins,
} from '../../domain/suppression.js';

export const maxItems = 100;

/** Body of `POST /suppressions` (docs/wire-contract.md section 18). */
export class AddSuppressionRequest {
  @ApiProperty({ type: String })
  @IsDefined()
  @IsString({ message: 'The `email` field must be a string.' })
  email!: string;
}

/** Body of `POST /suppressions/batch/add`. */
export class AddSuppressionsRequest {
  @ApiProperty({ type: [String], minItems: 1, maxItems })
  @IsDefined()
  @IsString({ each: true, message: 'The `emails` field must be an array of strings.' })
  @ArrayMinSize(1, { message: `The \`emails\` field must have from 1 to ${maxItems} items.` })
  @ArrayMaxSize(maxItems, { message: `The \`emails\` field must have from 1 to ${maxItems} items.` })
  emails!: string[];
}

/** Body of `POST /suppressions/batch/remove`: either `emails` or `ids`. */
export class RemoveSuppressionsRequest {
  @ApiPropertyOptional({ type: [String], minItems: 1, maxItems })
  @IsOptional()
  @IsString({ each: true, message: 'The `emails` field must be an array of strings.' })
  @ArrayMinSize(1, { message: `The \`emails\` field must have from 1 to ${maxItems} items.` })
  @ArrayMaxSize(maxItems, { message: `The \`emails\` field must have from 1 to ${maxItems} items.` })
  emails?: string[];

  @ApiPropertyOptional({ type: [String], minItems: 1, maxItems })
  @IsOptional()
  @IsString({ each: true, message: 'The `ids` field must be an array of strings.' })
  @ArrayMinSize(1, { message: `The \`ids\` field must have from 1 to ${maxItems} items.` })
  @ArrayMaxSize(maxItems, { message: `The \`ids\` field must have from 1 to ${maxItems} items.` })
  ids?: string[];
}

export function decodeAddition(body: unknown): string {
  return parseSuppressedAddress('email', decodeBody(AddSuppressionRequest, body).email);
}

export function decodeAdditions(body: unknown): string[] {
  return decodeBody(AddSuppressionsRequest, body).emails.map((email) => parseSuppressedAddress('emails', email));
}

export function decodeRemovals(body: unknown): { ids: string[] } | { emails: string[] } {
  const { emails, ids } = decodeBody(RemoveSuppressionsRequest, body);
  if (emails !== undefined && ids !== undefined) {
    throw new ValidationError('The `emails` and `ids` fields cannot be used together.');
  }
  if (ids !== undefined) return { ids: ids.map(checkedId) };
  if (emails === undefined) throw new MissingFieldError('emails');
  return { emails: emails.map(suppressionKey) };
}

export function decodeOrigin(value: unknown): SuppressionOrigin | undefined {
  if (value === undefined || value === '') return undefined;
  const origin = suppressionOrigins.find((known) => known === value);
  if (origin === undefined) {
    throw new ValidationError(
      `The \`origin\` must be one of ${suppressionOrigins.map((known) => `\`${known}\``).join(', ')}.`,
    );
  }
  return origin;
}

function checkedId(id: string): string {
  if (!isUuid(id)) throw new DomainError('invalid', 'invalid_parameter', 'The `ids` must be valid UUIDs.');
  return id.toLowerCase();
}
