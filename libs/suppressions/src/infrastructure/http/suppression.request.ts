import { DomainError, isUuid, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, PartialOf, PickOf, Shape, Text, Texts } from '#http/openapi';
import {
  parseSuppressedAddress,
  SuppressionOrigin,
  suppressionKey,
  suppressionOrigins,
} from '../../domain/suppression.js';
import { suppressionId } from './suppression.response.js';

export const maxItems = 100;

/** Body of `POST /suppressions` (docs/wire-contract.md section 18). */
@Shape('An address to suppress.')
@Example('address', 'An address', { email: 'ada@customer.example' })
export class AddSuppressionRequest {
  @Text('Address without a name, such as `ada@customer.example`.') email!: string;
}

const boundsMessage = `The \`$property\` field must have from 1 to ${maxItems} items.`;
const isBatch = (list: unknown): boolean => Array.isArray(list) && list.length >= 1 && list.length <= maxItems;

class SuppressionKeys {
  @Texts(`Addresses without names, 1 to ${maxItems}.`, {
    boundedByDomain: { minItems: 1, maxItems },
    allows: isBatch,
    boundsMessage,
  })
  emails!: string[];
  @Texts(`Ids of suppressions, 1 to ${maxItems}.`, {
    boundedByDomain: { minItems: 1, maxItems },
    allows: isBatch,
    items: { type: 'string', format: 'uuid' },
    boundsMessage,
  })
  ids!: string[];
}

@Shape('Addresses to suppress.')
@Example('two', 'Two addresses', { emails: ['ada@customer.example', 'grace@customer.example'] })
export class AddSuppressionsRequest extends PickOf(SuppressionKeys, 'emails') {}

/** Body of `POST /suppressions/batch/remove`: either `emails` or `ids`. */
@Shape('Suppressions to remove: `emails` or `ids`, not both.')
@Example('emails', 'By address', { emails: ['ada@customer.example'] })
@Example('ids', 'By id', { ids: [suppressionId] })
export class RemoveSuppressionsRequest extends PartialOf(SuppressionKeys) {}

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
