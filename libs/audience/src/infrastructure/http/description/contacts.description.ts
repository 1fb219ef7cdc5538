import { MissingFieldError, NotFoundError } from '#kernel';
import { pageErrors, thrownBy, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { checkValue, checkValues } from '../../../domain/property.js';
import { segmentThing } from '../../../domain/segment.js';
import { decodeContactPatch, decodeNewContact } from '../contact.request.js';
import {
  aContact,
  contact,
  contactId,
  contactSummary,
  givenFields,
  idOrEmail,
  search,
  segmentId,
  summaryFields,
  topicId,
} from './audience-examples.js';

const unknownProperty = thrownBy(() => checkValues({ plan: 'pro' }, {}));
const wrongType = thrownBy(() => checkValue('seats', 'number', 'twelve'));

export const apiDescription: ApiDescription = {
  tag: 'Contacts',
  tagDescription:
    'The people to whom your team writes. Each address is one contact, whatever its case. A contact has names, values of the ' +
    'contact properties that you define, segments that it belongs to, and topics that it chose.',
  schemas: {
    CreateContactRequest: {
      description: 'A contact. Only `email` is required.',
      properties: {
        ...givenFields,
        segments: 'Segments to add it to: ids, or objects with the `id`.',
        topics: 'Topics that it wants, or does not want.',
        audience_id: 'Old name for one segment.',
      },
    },
    UpdateContactRequest: {
      description: 'The fields to change. Others stay as they are; `null` clears a name.',
      properties: { ...givenFields, email: 'A new address. No other contact may have it.' },
    },
    ContactReferenceResponse: {
      description: 'The contact that was written.',
      properties: { object: 'Always `contact`.', id: 'Id of the contact.' },
    },
    RemovedContactResponse: {
      description: 'The contact that was deleted.',
      properties: {
        object: 'Always `contact`.',
        id: 'Id of the contact.',
        contact: 'The same id; on the old path of an audience, what the path named.',
        deleted: 'Always true.',
      },
    },
    ContactSummaryResponse: { description: 'A contact in a list.', properties: summaryFields },
    ContactResponse: {
      description: 'A contact.',
      properties: {
        object: 'Always `contact`.',
        ...summaryFields,
        properties: 'Its values by the key of the property, each with its type.',
        updated_at: 'When a field last changed.',
        unsubscribed_at: 'When it unsubscribed; null where it is not unsubscribed.',
        bounced_at: 'When mail last bounced because the address does not exist; null where it never did.',
        complained_at: 'When it last reported your mail as spam; null where it never did.',
      },
    },
  },
  operations: {
    'POST /contacts': {
      operationId: 'createContact',
      summary: 'Add or update a contact',
      description:
        'Adds a contact. Where the address is known, the contact keeps its id, the given fields are set, and the segments and ' +
        'topics are added to those that it has.',
      request: {
        description: 'The contact.',
        examples: {
          contact: { summary: 'A contact', value: aContact },
          groups: {
            summary: 'With a segment and a topic',
            value: {
              email: 'ada@customer.example',
              segments: [{ id: segmentId }],
              topics: [{ id: topicId, subscription: 'opt_in' }],
            },
          },
        },
      },
      responses: {
        201: { description: 'The contact is stored.', example: { object: 'contact', id: contactId } },
      },
      errors: [
        new MissingFieldError('email'),
        thrownBy(() => decodeNewContact({ email: 'ada' })),
        thrownBy(() => decodeNewContact({ email: 'a@b.example', segments: ['x'] })),
        unknownProperty,
        wrongType,
      ],
    },
    'GET /contacts': {
      operationId: 'listContacts',
      summary: 'List contacts',
      description: 'The contacts of your team, newest first: all, those of a segment, or those that a search finds.',
      parameters: {
        segment_id: { description: 'Only members of this segment.', example: segmentId },
        search,
        ...wholeListParameters,
      },
      responses: {
        200: {
          description: 'The contacts.',
          example: { object: 'list', has_more: false, data: [contactSummary] },
        },
      },
      errors: [...pageErrors, new NotFoundError(segmentThing)],
    },
    'GET /contacts/{idOrEmail}': {
      operationId: 'getContact',
      summary: 'Get a contact',
      description: 'One contact, with its properties.',
      parameters: { idOrEmail },
      responses: { 200: { description: 'The contact.', example: contact } },
      errors: [new NotFoundError('Contact')],
    },
    'PATCH /contacts/{idOrEmail}': {
      operationId: 'updateContact',
      summary: 'Update a contact',
      description: 'Sets the given fields of a contact.',
      parameters: { idOrEmail },
      request: {
        description: 'The fields to change.',
        examples: {
          unsubscribe: { summary: 'No more broadcasts', value: { unsubscribed: true } },
          values: { summary: 'A value, and no last name', value: { last_name: null, properties: { plan: 'free' } } },
        },
      },
      responses: {
        200: { description: 'The contact is updated.', example: { object: 'contact', id: contactId } },
      },
      errors: [
        new NotFoundError('Contact'),
        thrownBy(() => decodeContactPatch({ unsubscribed: 'yes' })),
        unknownProperty,
        wrongType,
      ],
    },
    'DELETE /contacts/{idOrEmail}': {
      operationId: 'deleteContact',
      summary: 'Delete a contact',
      description:
        'Deletes a contact with its values, segments, topics and history. An entry in the suppression list stays as a keyed hash ' +
        'of the address. What was sent is not deleted: see `POST /privacy/erasures`.',
      parameters: { idOrEmail },
      responses: {
        200: {
          description: 'The contact is deleted.',
          example: { object: 'contact', id: contactId, contact: contactId, deleted: true },
        },
      },
      errors: [new NotFoundError('Contact')],
    },
  },
};
