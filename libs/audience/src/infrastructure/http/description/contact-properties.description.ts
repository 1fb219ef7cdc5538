import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { checkKey, checkValue, PropertyExistsError, PropertyInRemovalError } from '../../../domain/property.js';
import { propertyId } from './audience-examples.js';

const id = idParameter('Id of the contact property.', propertyId);
const summary = {
  id: propertyId,
  key: 'plan',
  type: 'string',
  fallback_value: 'free',
  created_at: '2026-11-30 20:41:12.3+00',
};
const fallback = 'Value that a merge uses for contacts without one; null where there is none.';
const fields = {
  id: 'Id of the contact property.',
  key: 'Its name in requests and placeholders.',
  type: 'Type of its values.',
  fallback_value: fallback,
  created_at: 'When it was created.',
};
const reference = { object: 'Always `contact_property`.', id: 'Id of the contact property.' };
const wrongFallback = thrownBy(() => checkValue('fallback_value', 'number', 'many'));

export const apiDescription: ApiDescription = {
  tag: 'Contact properties',
  tagDescription: 'Fields that you add to your contacts. The key and the type of a property never change.',
  schemas: {
    CreateContactPropertyRequest: {
      description: 'A contact property.',
      properties: { key: fields.key, type: fields.type, fallback_value: fallback },
    },
    UpdateContactPropertyRequest: { description: 'The new fallback.', properties: { fallback_value: fallback } },
    ContactPropertyReferenceResponse: { description: 'The property that was written.', properties: reference },
    RemovedContactPropertyResponse: {
      description: 'The property that was deleted.',
      properties: { ...reference, deleted: 'Always true.' },
    },
    ContactPropertySummaryResponse: { description: 'A contact property in a list.', properties: fields },
    ContactPropertyResponse: {
      description: 'A contact property.',
      properties: { object: 'Always `contact_property`.', ...fields },
    },
  },
  operations: {
    'POST /contact-properties': {
      operationId: 'createContactProperty',
      summary: 'Create a contact property',
      description: 'Adds a field to all contacts of your team.',
      request: {
        description: 'The property.',
        examples: {
          text: { summary: 'A text', value: { key: 'plan', type: 'string', fallback_value: 'free' } },
          number: { summary: 'A number', value: { key: 'seats', type: 'number' } },
        },
      },
      responses: {
        201: { description: 'The property is created.', example: { object: 'contact_property', id: propertyId } },
      },
      errors: [
        new MissingFieldError('key'),
        new MissingFieldError('type'),
        thrownBy(() => checkKey('two words')),
        thrownBy(() => checkKey('EMAIL')),
        wrongFallback,
        new PropertyExistsError('plan'),
        new PropertyInRemovalError('plan'),
      ],
    },
    'GET /contact-properties': {
      operationId: 'listContactProperties',
      summary: 'List contact properties',
      description: 'The contact properties of your team, newest first, in pages.',
      parameters: pageParameters,
      responses: {
        200: { description: 'A page of properties.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: pageErrors,
    },
    'GET /contact-properties/{id}': {
      operationId: 'getContactProperty',
      summary: 'Get a contact property',
      description: 'One contact property.',
      parameters: { id },
      responses: { 200: { description: 'The property.', example: { object: 'contact_property', ...summary } } },
      errors: [invalidId('id'), new NotFoundError('Contact property')],
    },
    'PATCH /contact-properties/{id}': {
      operationId: 'updateContactProperty',
      summary: 'Update a contact property',
      description: 'Sets the fallback of a contact property.',
      parameters: { id },
      request: {
        description: 'The fallback.',
        examples: { fallback: { summary: 'Another fallback', value: { fallback_value: 'basic' } } },
      },
      responses: {
        200: { description: 'The property is updated.', example: { object: 'contact_property', id: propertyId } },
      },
      errors: [invalidId('id'), new NotFoundError('Contact property'), wrongFallback],
    },
    'DELETE /contact-properties/{id}': {
      operationId: 'deleteContactProperty',
      summary: 'Delete a contact property',
      description:
        'Deletes a contact property. Its values are no longer shown, and are removed from the contacts; until that is done a new ' +
        'property cannot have its key.',
      parameters: { id },
      responses: {
        200: {
          description: 'The property is deleted.',
          example: { object: 'contact_property', id: propertyId, deleted: true },
        },
      },
      errors: [invalidId('id'), new NotFoundError('Contact property')],
    },
  },
};
