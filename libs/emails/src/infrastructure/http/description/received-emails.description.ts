import { NotFoundError, ValidationError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { attachmentExample, attachmentId } from './attachments.description.js';

const notYet = 'This service does not receive mail yet: it responds as for an account that has received none.';
const receivedId = '0193a1f4-52e6-7c1e-9f0b-8e1f4c2d7b90';
const id = idParameter('Id of the received email.', receivedId);
const errors = [invalidId('id'), new NotFoundError('Email')];
const verdict = (name: string): string => `Verdict on ${name}.`;

const summary = {
  id: receivedId,
  to: ['support@acme.example'],
  from: 'ada@customer.example',
  created_at: '2026-11-30T20:39:59.540Z',
  subject: 'Where is my order?',
  received_for: ['support@acme.example'],
  authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
  message_id: '<b7d2a9c6e31@customer.example>',
  attachments: [{ id: attachmentId, filename: 'invoice.txt', size: 24, content_type: 'text/plain' }],
};

const summaryFields = {
  id: 'Id of the received email.',
  to: 'Addresses of its `To` field.',
  from: 'Address of its author.',
  created_at: 'When it was received.',
  subject: 'Subject line.',
  bcc: 'Addresses of its `Bcc` field; absent where it has none.',
  cc: 'Addresses of its `Cc` field; absent where it has none.',
  reply_to: 'Addresses for replies; absent where there are none.',
  received_for: 'Your addresses to which it was delivered.',
  authentication: 'Results of the authentication of its sender.',
  message_id: 'Its `Message-ID`, with angle brackets.',
  attachments: 'Its attachments.',
};

export const apiDescription: ApiDescription = {
  tag: 'Received emails',
  tagDescription: `Emails that your domains have received. ${notYet}`,
  schemas: {
    ReceivedEmailSummaryResponse: { description: 'A received email without its content.', properties: summaryFields },
    ReceivedEmailResponse: {
      description: 'A received email.',
      properties: {
        object: 'Always `email`.',
        ...summaryFields,
        html: 'HTML body; absent where it has none.',
        html_format: '`data_uri`: the html contains inline images; `cid`: it refers to attachments.',
        text: 'Plain text body; absent where it has none.',
        headers: 'Headers by name, in lower case.',
        raw: 'The source of the email.',
      },
    },
    ReceivedAttachmentResponse: {
      description: 'An attachment of a received email.',
      properties: {
        id: 'Id of the attachment.',
        filename: 'File name; absent where it has none.',
        size: { description: 'Bytes, decoded; null where it is not known.', minimum: 0 },
        content_type: 'Media type.',
        content_id: 'Name by which the html refers to it as `cid:<content_id>`; absent where it is not inline.',
        content_disposition: '`inline` or `attachment`; absent where the email does not say.',
      },
    },
    AuthenticationResponse: {
      description: 'Results of the authentication of the sender of a received email.',
      properties: { spf: verdict('SPF (RFC 7208)'), dkim: verdict('DKIM (RFC 6376)'), dmarc: verdict('DMARC') },
    },
    RawEmailResponse: {
      description: 'The bytes of a received email.',
      properties: {
        download_url: {
          description: 'URL of the RFC 5322 source. Needs no API key, for about an hour.',
          format: 'uri',
        },
        expires_at: 'When `download_url` expires.',
      },
    },
  },
  operations: {
    'GET /emails/receiving': {
      operationId: 'listReceivedEmails',
      summary: 'List received emails',
      description: `Emails that your domains have received, newest first, in pages. ${notYet}`,
      parameters: pageParameters,
      responses: {
        200: {
          description: 'A page of received emails.',
          example: { object: 'list', has_more: false, data: [summary] },
        },
      },
      errors: [...pageErrors, new ValidationError('The cursor must be the id of an email.')],
    },
    'GET /emails/receiving/{id}': {
      operationId: 'getReceivedEmail',
      summary: 'Get a received email',
      description: `One received email with its content. ${notYet}`,
      parameters: { id },
      responses: {
        200: { description: 'The email.', example: { object: 'email', ...summary, text: 'It was to come on Friday.' } },
      },
      errors,
    },
    'GET /emails/receiving/{id}/attachments': {
      operationId: 'listReceivedEmailAttachments',
      summary: 'List the attachments of a received email',
      description: `The attachments of a received email, with links to their content. ${notYet}`,
      parameters: { id, ...wholeListParameters },
      responses: {
        200: {
          description: 'The attachments.',
          example: { object: 'list', has_more: false, data: [attachmentExample] },
        },
      },
      errors,
    },
    'GET /emails/receiving/{id}/attachments/{attachmentId}': {
      operationId: 'getReceivedEmailAttachment',
      summary: 'Get an attachment of a received email',
      description: `One attachment of a received email, with a link to its content. ${notYet}`,
      parameters: { id, attachmentId: idParameter('Id of the attachment.', attachmentId) },
      responses: {
        200: { description: 'The attachment.', example: { object: 'attachment', ...attachmentExample } },
      },
      errors: [...errors, invalidId('attachmentId')],
    },
  },
};
