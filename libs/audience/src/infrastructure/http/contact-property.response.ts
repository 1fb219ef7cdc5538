import { timestamp } from '#platform/http';
import { Always, ApiProperty, Id, Moment, OneOf, Text } from '#platform/openapi';
import { PropertyValue } from '../../domain/contact.js';
import { propertyTypes } from '../../domain/property.js';
import type { ContactProperty, PropertyType } from '../../domain/property.js';

/** The answer to a write of a contact property (docs/wire-contract.md section 15). */
export class ContactPropertyReferenceResponse {
  @OneOf('contact_property') object!: 'contact_property';
  @Id() id!: string;
}

export class RemovedContactPropertyResponse extends ContactPropertyReferenceResponse {
  @Always(true) deleted!: true;
}

export class ContactPropertySummaryResponse {
  @Id() id!: string;
  @Text() key!: string;
  @OneOf(...propertyTypes) type!: PropertyType;
  @ApiProperty({ nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }] })
  fallback_value!: PropertyValue | null;
  @Moment() created_at!: string;
}

export class ContactPropertyResponse extends ContactPropertySummaryResponse {
  @OneOf('contact_property') object!: 'contact_property';
}

export function propertySummary(property: ContactProperty): ContactPropertySummaryResponse {
  const { id, key, type, fallbackValue, createdAt } = property;
  return { id, key, type, fallback_value: fallbackValue, created_at: timestamp(createdAt) };
}
