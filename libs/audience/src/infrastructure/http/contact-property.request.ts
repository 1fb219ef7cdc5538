import { decodeBody, jsonObject } from '#http/server';
import { Anything, Example, OneOf, PickOf, Shape, Text } from '#http/openapi';
import { NewProperty } from '../../application/contact-properties.use-case.js';
import { maxKeyLength, propertyTypes } from '../../domain/property.js';
import type { PropertyType } from '../../domain/property.js';

/** Body of `POST /contact-properties` (docs/wire-contract.md section 15). */
@Shape('A contact property.')
@Example('text', 'A text', { key: 'plan', type: 'string', fallback_value: 'free' })
@Example('number', 'A number', { key: 'seats', type: 'number' })
export class CreateContactPropertyRequest {
  @Text('Its name in requests and placeholders.', {
    boundedByDomain: { maxLength: maxKeyLength },
    pattern: String.raw`^\w{1,50}$`,
  })
  key!: string;
  @OneOf(propertyTypes, 'Type of its values.') type!: PropertyType;
  @Anything('Value that a merge uses for contacts without one; null where there is none.', {
    optional: true,
    nullable: true,
    oneOf: [{ type: 'string' }, { type: 'number' }],
  })
  fallback_value?: unknown;
}

@Shape('The new fallback.')
@Example('fallback', 'Another fallback', { fallback_value: 'basic' })
export class UpdateContactPropertyRequest extends PickOf(CreateContactPropertyRequest, 'fallback_value') {}

export function decodeNewProperty(body: unknown): NewProperty {
  const { key, type } = decodeBody(CreateContactPropertyRequest, body);
  return { key, type, fallbackValue: fallbackOf(body as object) };
}

/** Undefined if the request does not change it. */
export function decodeFallback(body: unknown): unknown {
  return fallbackOf(jsonObject(body));
}

/** An empty text is a value here: with it, contacts without a value show nothing. */
function fallbackOf(body: object): unknown {
  return (body as { fallback_value?: unknown }).fallback_value;
}
