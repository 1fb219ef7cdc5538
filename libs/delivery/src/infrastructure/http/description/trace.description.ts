import { NotFoundError } from '#kernel';
import { idParameter, invalidId } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { emailId, traceExample } from './trace-example.js';
import { traceSchemas } from './trace-schemas.js';

export const apiDescription: ApiDescription = {
  tag: 'Emails',
  schemas: traceSchemas,
  operations: {
    'GET /emails/{id}/trace': {
      operationId: 'getEmailTrace',
      summary: 'Trace an email',
      description:
        'The complete trace of an email, recipient by recipient: where it waits and why, each attempt with the ' +
        'reply of the remote server, its encryption and timings, later reports, and events. An addition of Postrider.',
      parameters: { id: idParameter('Id of the email.', emailId) },
      responses: { 200: { description: 'The trace.', example: traceExample } },
      errors: [invalidId('id'), new NotFoundError('Email')],
    },
  },
};
