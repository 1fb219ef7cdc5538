import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { segmentThing } from '../../../domain/segment.js';
import { segmentId } from './audience-examples.js';

const id = idParameter('Id of the segment.', segmentId);
const summary = { id: segmentId, name: 'Customers', created_at: '2026-11-30 20:41:12.3+00' };
const reference = { object: 'Always `audience`.', id: 'Id of the segment.' };

export const apiDescription: ApiDescription = {
  tag: 'Audiences',
  tagDescription: 'The old name of segments, for older clients. New programs use `/segments` and `/contacts`.',
  schemas: {
    CreatedAudienceResponse: {
      description: 'The segment that was created.',
      properties: { ...reference, name: 'Name of the segment.' },
    },
    AudienceResponse: {
      description: 'A segment.',
      properties: { ...reference, name: 'Name of the segment.', created_at: 'When it was created.' },
    },
    RemovedAudienceResponse: {
      description: 'The segment that was deleted.',
      properties: { ...reference, deleted: 'Always true.' },
    },
  },
  operations: {
    'POST /audiences': {
      operationId: 'createAudience',
      summary: 'Create a segment, old path',
      description: 'As `POST /segments`.',
      deprecated: true,
      request: {
        description: 'The name.',
        examples: { name: { summary: 'A name', value: { name: 'Customers' } } },
      },
      responses: {
        201: {
          description: 'The segment is created.',
          example: { object: 'audience', id: segmentId, name: 'Customers' },
        },
      },
      errors: [new MissingFieldError('name')],
    },
    'GET /audiences': {
      operationId: 'listAudiences',
      summary: 'List segments, old path',
      description: 'As `GET /segments`.',
      deprecated: true,
      parameters: wholeListParameters,
      responses: {
        200: { description: 'The segments.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: pageErrors,
    },
    'GET /audiences/{id}': {
      operationId: 'getAudience',
      summary: 'Get a segment, old path',
      description: 'As `GET /segments/{id}`.',
      deprecated: true,
      parameters: { id },
      responses: { 200: { description: 'The segment.', example: { object: 'audience', ...summary } } },
      errors: [invalidId('id'), new NotFoundError(segmentThing)],
    },
    'DELETE /audiences/{id}': {
      operationId: 'deleteAudience',
      summary: 'Delete a segment, old path',
      description: 'As `DELETE /segments/{id}`.',
      deprecated: true,
      parameters: { id },
      responses: {
        200: {
          description: 'There is no such segment.',
          example: { object: 'audience', id: segmentId, deleted: true },
        },
      },
      errors: [invalidId('id')],
    },
  },
};
