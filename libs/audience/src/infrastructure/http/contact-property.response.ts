import { toResponse } from '#http/server';
import { Always, Deleted, Field, Id, Moment, OneOf, Shape, Text } from '#http/openapi';
import { PropertyValue } from '../../domain/contact.js';
import { propertyTypes } from '../../domain/property.js';
import type { ContactProperty, PropertyType } from '../../domain/property.js';
import { propertyId } from './example-ids.js';

/** The answer to a write of a contact property (docs/wire-contract.md section 15). */
@Shape('The property that was written.')
export class ContactPropertyReferenceResponse {
  @Always('contact_property') object!: 'contact_property';
  @Id('Id of the contact property.', propertyId) id!: string;
}

@Shape('The property that was deleted.')
export class RemovedContactPropertyResponse extends Deleted(ContactPropertyReferenceResponse) {}

@Shape('A contact property in a list.')
export class ContactPropertySummaryResponse {
  @Id('Id of the contact property.', propertyId) id!: string;
  @Text('Its name in requests and placeholders.', 'plan') key!: string;
  @OneOf(propertyTypes, 'Type of its values.', 'string') type!: PropertyType;
  @Field(
    'Value that a merge uses for contacts without one; null if there is none.',
    { nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }] },
    'free',
  )
  fallback_value!: PropertyValue | null;
  @Moment('When it was created.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('A contact property.')
export class ContactPropertyResponse extends ContactPropertySummaryResponse {
  @Always('contact_property') object!: 'contact_property';
}

export const propertySummary = (property: ContactProperty): ContactPropertySummaryResponse =>
  toResponse(ContactPropertySummaryResponse, property);
