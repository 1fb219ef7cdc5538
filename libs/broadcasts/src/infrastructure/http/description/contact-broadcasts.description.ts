import { NotFoundError } from '#kernel';
import { pageErrors, pageParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { broadcastId, sent } from './broadcast-examples.js';

export const apiDescription: ApiDescription = {
  tag: 'Contacts',
  schemas: {
    ContactBroadcastResponse: {
      description: 'A broadcast as one contact got it.',
      properties: {
        id: 'Id of the broadcast.',
        name: 'Name of the broadcast; null where it has none.',
        subject: 'Subject of the broadcast, with its tags.',
        email_id: 'Id of the email to the contact; null where it got none. It may be older than what is kept.',
        skipped_because: 'Why the contact got no email, such as `unsubscribed`; null where it got one.',
        results: 'What happened with the email, in the order in which it happened first.',
      },
    },
    ContactBroadcastResult: {
      description: 'One kind of thing that happened.',
      properties: {
        type: 'What happened. Opens and clicks of machines do not count.',
        count: 'How often it happened.',
        first_at: 'When it happened first.',
      },
    },
  },
  operations: {
    'GET /contacts/{idOrEmail}/broadcasts': {
      operationId: 'listContactBroadcasts',
      summary: 'List the broadcasts of a contact',
      description:
        'The broadcasts that a contact got, with what it did, newest first. They are kept when the emails are not any more. An ' +
        'addition of Postrider.',
      parameters: {
        idOrEmail: { description: 'Id or address of the contact.', example: 'ada@example.com' },
        ...pageParameters,
      },
      responses: {
        200: {
          description: 'A page of broadcasts.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                id: broadcastId,
                name: 'November news',
                subject: 'News for {{{FIRST_NAME|you}}}',
                email_id: '0193a1f8-5a6b-7c7d-8e8f-9a0b1c2d3e4f',
                skipped_because: null,
                results: [
                  { type: 'sent', count: 1, first_at: sent },
                  { type: 'opened', count: 3, first_at: sent },
                ],
              },
            ],
          },
        },
      },
      errors: [...pageErrors, new NotFoundError('Contact')],
    },
  },
};
