import { MissingFieldError, NotFoundError } from '#kernel';
import { invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { noCounts } from '../../../domain/statistics.js';
import { decodeRecipientsQuery } from '../broadcast.request.js';
import { broadcastId, contactId, created, id, sent } from './broadcast-examples.js';
import { statisticsSchemas } from './broadcast-schemas.js';

const notFound = new NotFoundError('Broadcast');
const linkId = '0193a1f6-0b7e-7d27-8c18-d4e5f6071829';
const url = 'https://acme.com/november';

export const apiDescription: ApiDescription = {
  tag: 'Broadcasts',
  schemas: statisticsSchemas,
  operations: {
    'GET /broadcasts/{id}/recipients': {
      operationId: 'listBroadcastRecipients',
      summary: 'List the recipients of a broadcast',
      description: 'The recipients to whom one kind of thing happened, in pages. Every page takes the same time.',
      parameters: {
        id,
        type: { description: 'What happened.', example: 'clicked' },
        email: {
          description:
            'Only recipients whose address has this text. With a part of an address a page may have fewer recipients than asked for: go ' +
            'on from `next`.',
          example: 'ada@customer.example',
        },
        bounce_type: { description: 'Only bounces of this kind, with `type=bounced`.', example: 'permanent' },
        ...pageParameters,
      },
      responses: {
        200: {
          description: 'A page of recipients.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                id: contactId,
                contact_id: contactId,
                email: 'ada@customer.example',
                count: 2,
                clicked_links: [{ url, clicks: 2 }],
              },
            ],
          },
        },
      },
      errors: [
        notFound,
        invalidId('id'),
        new MissingFieldError('type'),
        thrownBy(() => decodeRecipientsQuery({ type: 'x' })),
        thrownBy(() => decodeRecipientsQuery({ type: 'sent', bounce_type: 'permanent' })),
        thrownBy(() => decodeRecipientsQuery({ type: 'sent', email: 'x'.repeat(321) })),
        ...pageErrors,
      ],
    },
    'GET /broadcasts/{id}/clicked-links': {
      operationId: 'listBroadcastClickedLinks',
      summary: 'List the clicked links of a broadcast',
      description: 'The links that were clicked, the most clicked first, in pages.',
      parameters: { id, ...pageParameters },
      responses: {
        200: {
          description: 'A page of links.',
          example: { object: 'list', has_more: false, data: [{ id: linkId, url, clicks: 41, unique_clicks: 30 }] },
        },
      },
      errors: [notFound, invalidId('id'), ...pageErrors],
    },
    'GET /broadcasts/{id}/progress': {
      operationId: 'getBroadcastProgress',
      summary: 'Get the progress of a broadcast',
      description: 'How many recipients it has, and what became of them until now. An addition of Postrider.',
      parameters: { id },
      responses: {
        200: {
          description: 'The progress.',
          example: {
            object: 'broadcast_progress',
            id: broadcastId,
            status: 'sent',
            paused_because: null,
            queued_at: created,
            sent_at: sent,
            counts: {
              ...noCounts,
              planned: 100,
              accepted: 98,
              skipped: 2,
              skipped_unsubscribed: 2,
              sent: 98,
              delivered: 97,
            },
          },
        },
      },
      errors: [notFound, invalidId('id')],
    },
  },
};
