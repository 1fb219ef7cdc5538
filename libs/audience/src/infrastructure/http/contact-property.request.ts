import { ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Field, OptionalField, Shape } from '#http/openapi';
import { IsDefined, IsIn, IsString } from 'class-validator';
import { NewProperty } from '../../application/contact-properties.use-case.js';
import { maxKeyLength, propertyTypes } from '../../domain/property.js';
import type { PropertyType } from '../../domain/property.js';

const fallback = { nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }] };

/** Body of `POST /contact-properties` (docs/wire-contract.md section 15). */
@Shape('A contact property.')
@Example('text', 'A text', { key: 'plan', type: 'string', fallback_value: 'free' })
@Example('number', 'A number', { key: 'seats', type: 'number' })
export class CreateContactPropertyRequest {
  @Field('Its name in requests and placeholders.', { maxLength: maxKeyLength, pattern: String.raw`^\w{1,50}$` })
  @IsDefined()
  @IsString({ message: 'The `key` field must be a string.' })
  key!: string;

  @Field('Type of its values.', { enum: [...propertyTypes] })
  @IsDefined()
  @IsIn([...propertyTypes], { message: 'The `type` field must be `string` or `number`.' })
  type!: PropertyType;

  @OptionalField('Value that a merge uses for contacts without one; null where there is none.', fallback)
  fallback_value?: unknown;
}

/** Body of `PATCH /contact-properties/{id}`. */
@Shape('The new fallback.')
@Example('fallback', 'Another fallback', { fallback_value: 'basic' })
export class UpdateContactPropertyRequest {
  @OptionalField('Value that a merge uses for contacts without one; null where there is none.', fallback)
  fallback_value?: unknown;
}

export function decodeNewProperty(body: unknown): NewProperty {
  const { key, type } = decodeBody(CreateContactPropertyRequest, body);
  return { key, type, fallbackValue: fallbackOf(body as object) };
}

/** Undefined if the request does not change it. */
export function decodeFallback(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationError('The request body must be a JSON object.');
  }
  return fallbackOf(body);
}

/** An empty text is a value here: with it, contacts without a value show nothing. */
function fallbackOf(body: object): unknown {
  return (body as { fallback_value?: unknown }).fallback_value;
}
