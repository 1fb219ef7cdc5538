import { NotFoundError } from '#kernel';
import { idParameter, invalidId } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { emailId } from './email-examples.js';

export const apiDescription: ApiDescription = {
  tag: 'Emails',
  operations: {
    'GET /emails/{id}/preview': {
      operationId: 'previewEmail',
      summary: 'Get a link for a preview',
      description:
        'A link to the HTML of an email, for a frame of the dashboard. It is valid for ten minutes and needs no API key. Nothing in ' +
        'the document runs, and nothing is loaded from the internet unless `&images=remote` is added.',
      parameters: { id: idParameter('Id of the email.', emailId) },
      responses: {
        200: {
          description: 'The link.',
          example: {
            object: 'email_preview',
            id: emailId,
            url: `https://mail.acme.example/shared/previews/${emailId}?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo`,
            expires_at: '2026-11-30T20:49:59.000Z',
          },
        },
      },
      errors: [invalidId('id'), new NotFoundError('Email')],
    },
  },
};
