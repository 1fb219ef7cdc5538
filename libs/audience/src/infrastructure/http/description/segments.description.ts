import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, thrownBy, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { maxSegments, segmentThing } from '../../../domain/segment.js';
import { decodeSegmentName } from '../segment.request.js';
import { contactSummary, search, segmentId } from './audience-examples.js';

const id = idParameter('Id of the segment.', segmentId);
const name = 'Name of the segment.';
const fields = { id: 'Id of the segment.', name, created_at: 'When it was created.' };
const summary = { id: segmentId, name: 'Customers', created_at: '2026-11-30 20:41:12.3+00' };
const longName = thrownBy(() => decodeSegmentName({ name: 'x'.repeat(300) }));
const named = {
  description: 'The name.',
  examples: { name: { summary: 'A name', value: { name: 'Customers' } } },
};

export const apiDescription: ApiDescription = {
  tag: 'Segments',
  tagDescription: `Groups of contacts. A contact may be in several. A team has at most ${maxSegments.toLocaleString('en')} segments.`,
  schemas: {
    SegmentNameRequest: { description: 'The name of a segment.', properties: { name } },
    CreateSegmentRequest: {
      description: 'A segment.',
      properties: { name, filter: 'Conditions that its contacts meet. Without it, contacts are added one by one.' },
    },
    CreatedSegmentResponse: {
      description: 'The segment that was created.',
      properties: { object: 'Always `segment`.', id: 'Id of the segment.', name },
    },
    SegmentReferenceResponse: {
      description: 'The segment that was written.',
      properties: { object: 'Always `segment`.', id: 'Id of the segment.' },
    },
    RemovedSegmentResponse: {
      description: 'The segment that was deleted.',
      properties: { object: 'Always `segment`.', id: 'Id of the segment.', deleted: 'Always true.' },
    },
    SegmentSummaryResponse: { description: 'A segment in a list.', properties: fields },
    SegmentResponse: {
      description: 'A segment.',
      properties: {
        object: 'Always `segment`.',
        ...fields,
        audience_id: 'The same id, under its old name.',
        filter: 'The conditions; null where contacts are added one by one.',
      },
    },
  },
  operations: {
    'POST /segments': {
      operationId: 'createSegment',
      summary: 'Create a segment',
      description: 'Creates a segment.',
      request: named,
      responses: {
        201: {
          description: 'The segment is created.',
          example: { object: 'segment', id: segmentId, name: 'Customers' },
        },
      },
      errors: [new MissingFieldError('name'), longName],
    },
    'GET /segments': {
      operationId: 'listSegments',
      summary: 'List segments',
      description: 'The segments of your team, newest first.',
      parameters: wholeListParameters,
      responses: {
        200: { description: 'The segments.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: pageErrors,
    },
    'GET /segments/{id}': {
      operationId: 'getSegment',
      summary: 'Get a segment',
      description: 'One segment.',
      parameters: { id },
      responses: {
        200: {
          description: 'The segment.',
          example: { object: 'segment', ...summary, audience_id: segmentId, filter: null },
        },
      },
      errors: [invalidId('id'), new NotFoundError(segmentThing)],
    },
    'PATCH /segments/{id}': {
      operationId: 'updateSegment',
      summary: 'Rename a segment',
      description: 'Sets the name of a segment.',
      parameters: { id },
      request: named,
      responses: { 200: { description: 'The segment is renamed.', example: { object: 'segment', id: segmentId } } },
      errors: [invalidId('id'), new NotFoundError(segmentThing), new MissingFieldError('name'), longName],
    },
    'DELETE /segments/{id}': {
      operationId: 'deleteSegment',
      summary: 'Delete a segment',
      description: 'Deletes a segment. Its contacts stay. A segment that does not exist gets the same answer.',
      parameters: { id },
      responses: {
        200: {
          description: 'There is no such segment.',
          example: { object: 'segment', id: segmentId, deleted: true },
        },
      },
      errors: [invalidId('id')],
    },
    'GET /segments/{id}/contacts': {
      operationId: 'listSegmentContacts',
      summary: 'List the contacts of a segment',
      description: 'The contacts of a segment, newest first.',
      parameters: { id, search, ...wholeListParameters },
      responses: {
        200: { description: 'The contacts.', example: { object: 'list', has_more: false, data: [contactSummary] } },
      },
      errors: [...pageErrors, invalidId('id'), new NotFoundError(segmentThing)],
    },
  },
};
