import { NotFoundError, ValidationError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { EmailAboveQuotaError } from '../../../domain/receiving-errors.js';
import {
  attachmentExample,
  attachmentId,
  emailExample,
  receivedId,
  summaryExample,
  threadId,
} from './received-examples.js';
import { receivedSchemas } from './received-schemas.js';

const id = idParameter('Id of the received email.', receivedId);
const errors = [invalidId('id'), new NotFoundError('Email'), new EmailAboveQuotaError()];
const badCursor = new ValidationError('The cursor must be the id of an item of the list.');

export const apiDescription: ApiDescription = {
  tag: 'Received emails',
  tagDescription: 'Emails that your domains have received. The webhook event is `email.received`.',
  schemas: receivedSchemas,
  operations: {
    'GET /emails/receiving': {
      operationId: 'listReceivedEmails',
      summary: 'List received emails',
      description: 'Emails that your domains have received, newest first, in pages.',
      parameters: {
        ...pageParameters,
        thread_id: { description: 'Only emails of this thread. An addition of Postrider.', example: threadId },
        from: {
          description: 'Only emails of this author: a bare address. An addition of Postrider.',
          example: 'ada@customer.example',
        },
      },
      responses: {
        200: {
          description: 'A page of received emails.',
          example: { object: 'list', has_more: false, data: [summaryExample] },
        },
      },
      errors: [
        ...pageErrors,
        badCursor,
        new ValidationError('The `thread_id` parameter must be the `thread_id` of an email.'),
        new ValidationError('The `from` parameter is not valid.'),
      ],
    },
    'GET /emails/receiving/{id}': {
      operationId: 'getReceivedEmail',
      summary: 'Get a received email',
      description: 'One received email with its content, the verdicts on its origin, and a link to its source.',
      parameters: {
        id,
        html_format: {
          description:
            '`data_uri` (the default): the html contains inline images. `cid`: it refers to attachments by their `content_id`.',
          example: 'cid',
        },
      },
      responses: { 200: { description: 'The email.', example: emailExample } },
      errors: [...errors, new ValidationError('The `html_format` must be `data_uri` or `cid`.')],
    },
    'POST /emails/receiving/{id}/replay': {
      operationId: 'replayReceivedEmail',
      summary: 'Replay the event of a received email',
      description:
        'Sends `email.received` again, as a new message to every webhook endpoint that asks for this event now. An addition of Postrider.',
      parameters: { id },
      responses: { 200: { description: 'The event is sent again.', example: { object: 'email', id: receivedId } } },
      errors: [invalidId('id'), new NotFoundError('Email')],
    },
    'GET /emails/receiving/{id}/attachments': {
      operationId: 'listReceivedEmailAttachments',
      summary: 'List the attachments of a received email',
      description: 'The attachments of a received email, with links to their content.',
      parameters: { id, ...wholeListParameters },
      responses: {
        200: {
          description: 'The attachments.',
          example: { object: 'list', has_more: false, data: [attachmentExample] },
        },
      },
      errors: [...errors, ...pageErrors, badCursor],
    },
    'GET /emails/receiving/{id}/attachments/{attachmentId}': {
      operationId: 'getReceivedEmailAttachment',
      summary: 'Get an attachment of a received email',
      description: 'One attachment of a received email, with a link to its content.',
      parameters: { id, attachmentId: idParameter('Id of the attachment.', attachmentId) },
      responses: { 200: { description: 'The attachment.', example: { object: 'attachment', ...attachmentExample } } },
      errors: [...errors, invalidId('attachmentId'), new NotFoundError('Attachment')],
    },
  },
};
