import { MissingFieldError, NotFoundError } from '#kernel';
import {
  idParameter,
  invalidId,
  pageErrors,
  pageParameters,
  thrownBy,
  wholeListParameters,
} from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { FilteredSegmentError, segmentThing } from '../../../domain/segment.js';
import { decodeContactTopics } from '../contact.request.js';
import { contactId, idOrEmail, segmentId, topicId } from './audience-examples.js';

const segment = idParameter('Id of the segment.', segmentId);
const aFilteredSegment = {
  id: segmentId,
  teamId: '',
  name: 'Active customers',
  filter: {},
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const membershipErrors = [
  new NotFoundError('Contact'),
  new NotFoundError(segmentThing),
  invalidId('segmentId'),
  new FilteredSegmentError(aFilteredSegment),
];
const membership = {
  object: 'Always `contact_segment`.',
  id: 'Id of the segment.',
  contact_id: 'Id of the contact.',
  segment_id: 'Id of the segment.',
};
const choice = { id: topicId, subscription: 'opt_out' };
const choiceFields = { id: 'Id of the topic.', subscription: 'Whether the contact gets its mail.' };

export const apiDescription: ApiDescription = {
  tag: 'Contacts',
  schemas: {
    UpdateContactTopicsRequest: {
      description: 'The choices. The array may also be the whole body.',
      properties: { topics: 'Topics that the contact wants, or does not want. Others stay as they are.' },
    },
    ContactSegmentResponse: {
      description: 'A segment of a contact.',
      properties: { id: 'Id of the segment.', name: 'Name of the segment.', created_at: 'When the contact joined it.' },
    },
    ContactSegmentReferenceResponse: { description: 'The membership.', properties: membership },
    RemovedContactSegmentResponse: {
      description: 'The membership that has ended.',
      properties: { ...membership, deleted: 'Always true.' },
    },
    ContactTopicResponse: {
      description: 'A topic, and whether a contact gets its mail.',
      properties: {
        id: 'Id of the topic.',
        name: 'Name of the topic.',
        description: 'Description of the topic; null where there is none.',
        subscription: 'The choice of the contact, else the default of the topic.',
      },
    },
    TopicChoiceResponse: { description: 'A choice.', properties: choiceFields },
    ContactTopicsReferenceResponse: {
      description: 'The choices that were written.',
      properties: {
        object: 'Always `contact_topics`.',
        id: 'Id of the contact.',
        contact_id: 'Id of the contact.',
        topics: 'The choices of the request.',
      },
    },
    ChangedFieldResponse: {
      description: 'A field that changed.',
      properties: {
        field: 'Name of the field, such as `first_name`, `properties.plan`, `segments.<id>` or `topics.<id>`.',
        from: 'The value before; null where there was none.',
        to: 'The value after; null where there is none.',
      },
    },
    ActorResponse: {
      description: 'Who did something.',
      properties: { kind: 'An API key, a user, or the service itself.', id: 'Its id; null for the service.' },
    },
    ContactChangeResponse: {
      description: 'A change of a contact.',
      properties: {
        id: 'Id of the change.',
        type: 'What happened.',
        source:
          'By which way: the API, a file, the link in an email, the unsubscribe button of a mail program, or a bounce or complaint.',
        actor: 'Who did it.',
        changes: 'The fields that changed.',
        created_at: 'When it happened.',
      },
    },
  },
  operations: {
    'GET /contacts/{idOrEmail}/segments': {
      operationId: 'listContactSegments',
      summary: 'List the segments of a contact',
      description: 'The segments to which a contact was added, newest segment first.',
      parameters: { idOrEmail, ...wholeListParameters },
      responses: {
        200: {
          description: 'The segments.',
          example: {
            object: 'list',
            has_more: false,
            data: [{ id: segmentId, name: 'Customers', created_at: '2026-11-30 20:41:12.3+00' }],
          },
        },
      },
      errors: [...pageErrors, new NotFoundError('Contact')],
    },
    'POST /contacts/{idOrEmail}/segments/{segmentId}': {
      operationId: 'addContactToSegment',
      summary: 'Add a contact to a segment',
      description: 'Adds a contact to a segment without a filter. A member stays one.',
      parameters: { idOrEmail, segmentId: segment },
      responses: {
        200: {
          description: 'The contact is a member.',
          example: { object: 'contact_segment', id: segmentId, contact_id: contactId, segment_id: segmentId },
        },
      },
      errors: membershipErrors,
    },
    'DELETE /contacts/{idOrEmail}/segments/{segmentId}': {
      operationId: 'removeContactFromSegment',
      summary: 'Remove a contact from a segment',
      description: 'Ends a membership. Nothing changes where the contact is no member.',
      parameters: { idOrEmail, segmentId: segment },
      responses: {
        200: {
          description: 'The contact is no member.',
          example: {
            object: 'contact_segment',
            id: segmentId,
            contact_id: contactId,
            segment_id: segmentId,
            deleted: true,
          },
        },
      },
      errors: membershipErrors,
    },
    'GET /contacts/{idOrEmail}/topics': {
      operationId: 'listContactTopics',
      summary: 'List the topics of a contact',
      description: 'All topics of your team, newest first, and whether this contact gets their mail.',
      parameters: { idOrEmail, ...pageParameters },
      responses: {
        200: {
          description: 'A page of topics.',
          example: {
            object: 'list',
            has_more: false,
            data: [{ id: topicId, name: 'Product news', description: null, subscription: 'opt_in' }],
          },
        },
      },
      errors: [...pageErrors, new NotFoundError('Contact')],
    },
    'PATCH /contacts/{idOrEmail}/topics': {
      operationId: 'updateContactTopics',
      summary: 'Update the topics of a contact',
      description: 'Sets which topics a contact wants. All choices are written, or none.',
      parameters: { idOrEmail },
      request: {
        description: 'The choices.',
        examples: {
          choices: { summary: 'One choice', value: { topics: [choice] } },
        },
      },
      responses: {
        200: {
          description: 'The choices are written.',
          example: { object: 'contact_topics', id: contactId, contact_id: contactId, topics: [choice] },
        },
      },
      errors: [
        new NotFoundError('Contact'),
        new MissingFieldError('topics'),
        thrownBy(() => decodeContactTopics([{ id: topicId, subscription: 'yes' }])),
      ],
    },
    'GET /contacts/{idOrEmail}/history': {
      operationId: 'listContactHistory',
      summary: 'List the changes of a contact',
      description:
        'What changed of a contact, when, by whom and by which way, newest first, as long as history is kept. Of a deleted contact ' +
        'only its deletion remains, under its id.',
      parameters: { idOrEmail, ...pageParameters },
      responses: {
        200: {
          description: 'A page of changes.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                id: '0193a1f8-5a6b-7c7d-8e8f-9a0b1c2d3e4f',
                type: 'updated',
                source: 'one-click',
                actor: { kind: 'service', id: null },
                changes: [{ field: 'unsubscribed', from: false, to: true }],
                created_at: '2026-11-30 20:45:00.25+00',
              },
            ],
          },
        },
      },
      errors: [...pageErrors, new NotFoundError('Contact')],
    },
  },
};
