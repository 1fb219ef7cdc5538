import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, thrownBy, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { checkValues } from '../../../domain/property.js';
import { segmentThing } from '../../../domain/segment.js';
import { decodeContactPatch, decodeNewContact } from '../contact.request.js';
import {
  aContact,
  contact,
  contactId,
  contactSummary,
  givenFields,
  idOrEmail,
  segmentId,
} from './audience-examples.js';

const audienceId = idParameter('Id of the segment.', segmentId);
const noAudience = [invalidId('audienceId'), new NotFoundError(segmentThing)];
const unknownProperty = thrownBy(() => checkValues({ plan: 'pro' }, {}));

export const apiDescription: ApiDescription = {
  tag: 'Audiences',
  schemas: {
    CreateAudienceContactRequest: { description: 'A contact. Only `email` is required.', properties: givenFields },
  },
  operations: {
    'POST /audiences/{audienceId}/contacts': {
      operationId: 'createAudienceContact',
      summary: 'Add or update a contact of a segment, old path',
      description: 'As `POST /contacts` with this segment.',
      deprecated: true,
      parameters: { audienceId },
      request: { description: 'The contact.', examples: { contact: { summary: 'A contact', value: aContact } } },
      responses: {
        201: { description: 'The contact is stored.', example: { object: 'contact', id: contactId } },
      },
      errors: [
        ...noAudience,
        new MissingFieldError('email'),
        thrownBy(() => decodeNewContact({ email: 'ada' })),
        unknownProperty,
      ],
    },
    'GET /audiences/{audienceId}/contacts': {
      operationId: 'listAudienceContacts',
      summary: 'List the contacts of a segment, old path',
      description: 'As `GET /segments/{id}/contacts`.',
      deprecated: true,
      parameters: { audienceId, ...wholeListParameters },
      responses: {
        200: { description: 'The contacts.', example: { object: 'list', has_more: false, data: [contactSummary] } },
      },
      errors: [...pageErrors, ...noAudience],
    },
    'GET /audiences/{audienceId}/contacts/{idOrEmail}': {
      operationId: 'getAudienceContact',
      summary: 'Get a contact, old path',
      description: 'As `GET /contacts/{idOrEmail}`.',
      deprecated: true,
      parameters: { audienceId, idOrEmail },
      responses: { 200: { description: 'The contact.', example: contact } },
      errors: [...noAudience, new NotFoundError('Contact')],
    },
    'PATCH /audiences/{audienceId}/contacts/{idOrEmail}': {
      operationId: 'updateAudienceContact',
      summary: 'Update a contact, old path',
      description: 'As `PATCH /contacts/{idOrEmail}`.',
      deprecated: true,
      parameters: { audienceId, idOrEmail },
      request: {
        description: 'The fields to change.',
        examples: { unsubscribe: { summary: 'No more broadcasts', value: { unsubscribed: true } } },
      },
      responses: {
        200: { description: 'The contact is updated.', example: { object: 'contact', id: contactId } },
      },
      errors: [
        ...noAudience,
        new NotFoundError('Contact'),
        thrownBy(() => decodeContactPatch({ unsubscribed: 'yes' })),
        unknownProperty,
      ],
    },
    'DELETE /audiences/{audienceId}/contacts/{idOrEmail}': {
      operationId: 'deleteAudienceContact',
      summary: 'Delete a contact, old path',
      description:
        'Deletes the contact, not only its membership. A contact that does not exist gets the same answer, in which `contact` is ' +
        'what the path named.',
      deprecated: true,
      parameters: { audienceId, idOrEmail },
      responses: {
        200: {
          description: 'There is no such contact.',
          example: { object: 'contact', id: contactId, contact: 'ada@customer.example', deleted: true },
        },
      },
      errors: noAudience,
    },
  },
};
