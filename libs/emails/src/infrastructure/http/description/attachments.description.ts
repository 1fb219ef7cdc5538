import { NotFoundError, ValidationError } from '#kernel';
import { idParameter, invalidId, pageErrors, thrownBy, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { parseExpiresIn } from '../../../domain/expires-in.js';
import { emailId } from './email-examples.js';

export const attachmentId = '0193a1f4-52e6-7c1e-9f0b-7d0a3c5b9f12';
const link = (path: string): string =>
  `https://mail.acme.example/shared/${path}?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo`;

export const attachmentExample = {
  id: attachmentId,
  filename: 'invoice.txt',
  size: 24,
  content_type: 'text/plain',
  content_disposition: 'attachment',
  download_url: link(`attachments/${emailId}/${attachmentId}`),
  expires_at: '2026-11-30T21:39:59.000Z',
};

const id = idParameter('Id of the email.', emailId);

export const apiDescription: ApiDescription = {
  tag: 'Emails',
  operations: {
    'GET /emails/{id}/attachments': {
      operationId: 'listEmailAttachments',
      summary: 'List the attachments of an email',
      description: 'The attachments of an email in the order in which they were sent, with links to their content.',
      parameters: { id, ...wholeListParameters },
      responses: {
        200: {
          description: 'The attachments.',
          example: { object: 'list', has_more: false, data: [attachmentExample] },
        },
      },
      errors: [
        invalidId('id'),
        new NotFoundError('Email'),
        ...pageErrors,
        new ValidationError('The cursor must be the id of an item of the list.'),
      ],
    },
    'GET /emails/{id}/attachments/{attachmentId}': {
      operationId: 'getEmailAttachment',
      summary: 'Get an attachment of an email',
      description:
        'One attachment with a link to its content. Each call creates a new link, which is valid for an hour.',
      parameters: { id, attachmentId: idParameter('Id of the attachment.', attachmentId) },
      responses: { 200: { description: 'The attachment.', example: { object: 'attachment', ...attachmentExample } } },
      errors: [invalidId('id'), new NotFoundError('Email'), new NotFoundError('Attachment')],
    },
    'POST /emails/{id}/share': {
      operationId: 'shareEmail',
      summary: 'Share an email',
      description:
        'Creates a link with which anyone can read the email, without its blind-copy recipients, until the link expires.',
      parameters: { id },
      request: {
        description: 'How long the link is valid. Without a body: 48 hours.',
        examples: { twoHours: { summary: 'Two hours', value: { expires_in: '2 hours' } } },
      },
      responses: {
        200: { description: 'The link.', example: { object: 'email', id: emailId, url: link(`emails/${emailId}`) } },
      },
      errors: [
        invalidId('id'),
        new NotFoundError('Email'),
        thrownBy(() => parseExpiresIn('soon')),
        thrownBy(() => parseExpiresIn('3 days')),
      ],
    },
  },
};
