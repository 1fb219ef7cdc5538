import { DomainNotVerifiedError } from '#domains';
import { MissingFieldError, NotFoundError } from '#kernel';
import { invalidId, pageErrors, thrownBy, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import {
  BroadcastStateError,
  BroadcastTooLargeError,
  MissingFallbackError,
  NoUnsubscribeLinkError,
  SegmentGoneError,
  TopicGoneError,
} from '../../../domain/broadcast-errors.js';
import { maxContentBytes } from '../../../domain/broadcast-fields.js';
import { parseBroadcastFilter } from '../../../domain/broadcast-filter.js';
import { decodeNewBroadcast } from '../broadcast.request.js';
import { content, id, reference, segmentId, subjectResults, subjectTest, summary } from './broadcast-examples.js';
import { broadcastSchemas } from './broadcast-schemas.js';

const copyId = '0193a1f6-2c11-7a0d-8e31-b2c3d4e5f618';
const notFound = new NotFoundError('Broadcast');
const fieldErrors = [
  new SegmentGoneError(segmentId),
  new TopicGoneError(segmentId),
  new BroadcastTooLargeError(maxContentBytes),
];
const startErrors = [
  new DomainNotVerifiedError('acme.example'),
  new NoUnsubscribeLinkError('html'),
  new MissingFallbackError(['COMPANY']),
];

export const apiDescription: ApiDescription = {
  tag: 'Broadcasts',
  tagDescription:
    'One content for all contacts of a segment. A broadcast is written as a draft, checked, and sent at once or at a time: each ' +
    'contact gets it once. Contacts that unsubscribed, opted out of its topic or are suppressed get nothing.',
  schemas: broadcastSchemas,
  operations: {
    'POST /broadcasts': {
      operationId: 'createBroadcast',
      summary: 'Create a broadcast',
      description:
        'Creates a draft, or with `send` a broadcast that is sent. Where it may not be sent, it is not created either.',
      request: {
        description: 'The broadcast.',
        examples: {
          draft: { summary: 'A draft', value: { name: 'November news', segment_id: segmentId, ...content } },
          scheduled: {
            summary: 'Sent tomorrow',
            value: { segment_id: segmentId, ...content, send: true, scheduled_at: 'tomorrow at 9am' },
          },
        },
      },
      responses: { 201: { description: 'The broadcast is created.', example: reference } },
      errors: [
        ...['from', 'segment_id', 'subject'].map((field) => new MissingFieldError(field)),
        thrownBy(() => decodeNewBroadcast({ ...content, scheduled_at: 'in 1 hour' }, new Date(0))),
        ...fieldErrors,
        ...startErrors,
      ],
    },
    'GET /broadcasts': {
      operationId: 'listBroadcasts',
      summary: 'List broadcasts',
      description:
        'The broadcasts of your team without their contents, newest first. All of them without page parameters. With a filter (an ' +
        'addition of Postrider), go on with `next` until it is null.',
      parameters: {
        ...wholeListParameters,
        status: {
          description:
            'Broadcasts in one of these states. Several are separated by commas, or the parameter is repeated.',
          example: ['draft', 'scheduled'],
        },
        q: {
          description: 'A part of the name or of the subject, in upper or lower case.',
          schema: { maxLength: 200 },
          example: 'news',
        },
      },
      responses: {
        200: { description: 'The broadcasts.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: [
        ...pageErrors,
        thrownBy(() => parseBroadcastFilter({ status: 'gone' })),
        thrownBy(() => parseBroadcastFilter({ q: [] })),
      ],
    },
    'GET /broadcasts/{id}': {
      operationId: 'getBroadcast',
      summary: 'Get a broadcast',
      description:
        'A broadcast with its content. Where it tries several subjects (`subject_test`), with what became of each of them.',
      parameters: { id },
      responses: {
        200: {
          description: 'The broadcast.',
          example: {
            object: 'broadcast',
            ...summary,
            ...content,
            reply_to: null,
            preview_text: 'What is new',
            text: null,
            options: { subject_test: subjectTest },
            subject_results: subjectResults,
          },
        },
      },
      errors: [notFound, invalidId('id')],
    },
    'PATCH /broadcasts/{id}': {
      operationId: 'updateBroadcast',
      summary: 'Change a broadcast',
      description:
        'Changes a draft or a scheduled broadcast, which is checked again. Once it is being sent, only the name can be changed.',
      parameters: { id },
      request: {
        description: 'The fields to change.',
        examples: {
          subject: { summary: 'A new subject', value: { subject: 'More news' } },
          slowly: { summary: 'Not more than one email in an hour', value: { options: { throttle_per_hour: 1 } } },
        },
      },
      responses: { 200: { description: 'The broadcast has been changed.', example: reference } },
      errors: [
        notFound,
        invalidId('id'),
        new BroadcastStateError('Only draft and scheduled broadcasts can be changed, and afterwards the name.'),
        ...fieldErrors,
        ...startErrors,
      ],
    },
    'DELETE /broadcasts/{id}': {
      operationId: 'deleteBroadcast',
      summary: 'Delete a broadcast',
      description: 'Deletes a draft, or a scheduled broadcast, which is then not sent.',
      parameters: { id },
      responses: { 200: { description: 'The broadcast is deleted.', example: { ...reference, deleted: true } } },
      errors: [
        notFound,
        invalidId('id'),
        new BroadcastStateError('Only draft and scheduled broadcasts can be deleted.'),
      ],
    },
    'POST /broadcasts/{id}/send': {
      operationId: 'sendBroadcast',
      summary: 'Send a broadcast',
      description:
        'Sends a draft at once or at a time. A scheduled broadcast gets another time, or is sent at once. The audience is fixed ' +
        'when sending begins.',
      parameters: { id },
      request: {
        description: 'When.',
        examples: {
          now: { summary: 'At once', value: {} },
          later: { summary: 'At a time', value: { scheduled_at: 'tomorrow at 9am' } },
        },
      },
      responses: { 200: { description: 'The broadcast is queued or scheduled.', example: reference } },
      errors: [
        notFound,
        invalidId('id'),
        new BroadcastStateError('Only draft and scheduled broadcasts can be sent.'),
        new SegmentGoneError(segmentId),
        ...startErrors,
      ],
    },
    'POST /broadcasts/{id}/duplicate': {
      operationId: 'duplicateBroadcast',
      summary: 'Duplicate a broadcast',
      description: 'Creates a draft with the same content, audience and options. Its name ends in ` (copy)`.',
      parameters: { id },
      responses: { 201: { description: 'The copy.', example: { ...reference, id: copyId } } },
      errors: [notFound, invalidId('id')],
    },
  },
};
