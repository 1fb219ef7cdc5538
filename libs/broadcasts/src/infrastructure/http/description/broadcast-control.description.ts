import { DomainNotVerifiedError } from '#domains';
import { MissingFieldError, NotFoundError } from '#kernel';
import { invalidId, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { BroadcastStateError, MissingFallbackError } from '../../../domain/broadcast-errors.js';
import { decodePreview } from '../broadcast.request.js';
import { broadcastId, contactId, content, id, reference } from './broadcast-examples.js';
import { controlSchemas } from './broadcast-schemas.js';

const notFound = new NotFoundError('Broadcast');
const emailId = '0193a1f6-0b7e-7d27-8c18-d4e5f6071829';

export const apiDescription: ApiDescription = {
  tag: 'Broadcasts',
  schemas: controlSchemas,
  operations: {
    'POST /broadcasts/{id}/cancel': {
      operationId: 'cancelBroadcast',
      summary: 'Cancel a broadcast',
      description:
        'A scheduled broadcast becomes a draft. One that is being sent stops for good: emails that were accepted are sent, and ' +
        'nobody else gets one.',
      parameters: { id },
      responses: { 200: { description: 'The broadcast is canceled.', example: reference } },
      errors: [
        notFound,
        invalidId('id'),
        new BroadcastStateError('Only queued, paused or scheduled broadcasts can be canceled.'),
      ],
    },
    'POST /broadcasts/{id}/pause': {
      operationId: 'pauseBroadcast',
      summary: 'Pause a broadcast',
      description:
        'Stops a broadcast that is being sent until it is resumed or canceled. Emails that were accepted are sent. An addition of ' +
        'Postrider.',
      parameters: { id },
      responses: { 200: { description: 'The broadcast is paused.', example: reference } },
      errors: [notFound, invalidId('id'), new BroadcastStateError('Only queued broadcasts can be paused.')],
    },
    'POST /broadcasts/{id}/resume': {
      operationId: 'resumeBroadcast',
      summary: 'Resume a broadcast',
      description: 'Goes on where it stopped: nobody gets it twice. An addition of Postrider.',
      parameters: { id },
      responses: { 200: { description: 'The broadcast is being sent again.', example: reference } },
      errors: [notFound, invalidId('id'), new BroadcastStateError('Only paused broadcasts can be resumed.')],
    },
    'POST /broadcasts/{id}/preview': {
      operationId: 'previewBroadcast',
      summary: 'Preview a broadcast',
      description: 'Renders a broadcast as one contact would get it. Sends nothing. An addition of Postrider.',
      parameters: { id },
      request: {
        description: 'The contact.',
        examples: { contact: { summary: 'As a contact', value: { email: 'ada@customer.example' } } },
      },
      responses: {
        200: {
          description: 'The rendered broadcast.',
          example: {
            object: 'broadcast_preview',
            id: broadcastId,
            contact_id: contactId,
            email: 'ada@customer.example',
            from: content.from,
            reply_to: null,
            subject: 'News for Ada',
            html: '<p>Hello Ada</p><p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
            text: null,
          },
        },
      },
      errors: [
        notFound,
        new NotFoundError('Contact'),
        invalidId('id'),
        thrownBy(() => decodePreview({ contact_id: contactId, email: 'ada@customer.example' })),
      ],
    },
    'POST /broadcasts/{id}/test': {
      operationId: 'testBroadcast',
      summary: 'Send a test of a broadcast',
      description:
        'Sends the broadcast to some addresses to look at, as ordinary emails with `[Test]` in the subject and the values of the ' +
        'contact that has the address. They do not count for the broadcast. An addition of Postrider.',
      parameters: { id },
      request: {
        description: 'The addresses.',
        examples: {
          two: { summary: 'Two addresses', value: { to: ['ada@customer.example', 'grace@customer.example'] } },
        },
      },
      responses: { 200: { description: 'The emails are accepted.', example: { data: [{ id: emailId }] } } },
      errors: [
        notFound,
        invalidId('id'),
        new MissingFieldError('to'),
        new DomainNotVerifiedError('acme.example'),
        new MissingFallbackError(['COMPANY']),
      ],
    },
  },
};
