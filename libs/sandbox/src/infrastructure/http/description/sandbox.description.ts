import { NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';

const messageId = '0193a1f4-5a31-7e08-b6c2-0d94f3a81e77';

const message = {
  id: messageId,
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  subject: 'Your order is on its way',
  received_at: '2026-11-30 20:40:00.91+00',
};

const fields = {
  id: 'Id of the message.',
  from: 'The `From` header.',
  to: 'Recipients of the envelope, blind copies included.',
  subject: 'The `Subject` header.',
  received_at: 'When the message was received.',
};

export const apiDescription: ApiDescription = {
  tag: 'Sandbox',
  tagDescription:
    'Mail that the built-in receiving server received from you. Only if Postrider runs with `DELIVERY_TRANSPORT=sandbox`, ' +
    'the default: no mail leaves the machine then. Additions of Postrider.',
  schemas: {
    MessageSummaryResponse: { description: 'A received message without its content.', properties: fields },
    MessageResponse: {
      description: 'A received message.',
      properties: {
        ...fields,
        raw: 'The whole message as received (RFC 5322), read as UTF-8.',
        html: 'Its HTML; null if it has none.',
        text: 'Its text; null if it has none.',
        dkim: 'Whether a DKIM signature verifies; `none` if it has no usable signature.',
      },
    },
  },
  operations: {
    'GET /sandbox/messages': {
      operationId: 'listSandboxMessages',
      summary: 'List received messages',
      description: 'The messages that the sandbox received from your team, newest first, in pages.',
      parameters: pageParameters,
      responses: {
        200: { description: 'A page of messages.', example: { object: 'list', has_more: false, data: [message] } },
      },
      errors: pageErrors,
    },
    'GET /sandbox/messages/{id}': {
      operationId: 'getSandboxMessage',
      summary: 'Get a received message',
      description: 'One message that the sandbox received from your team, whole and in its parts.',
      parameters: { id: idParameter('Id of the message.', messageId) },
      responses: {
        200: {
          description: 'The message.',
          example: {
            ...message,
            raw: 'From: Acme <hello@acme.example>\r\nTo: ada@customer.example\r\nSubject: Your order is on its way\r\n\r\nIt arrives on Friday.\r\n',
            html: null,
            text: 'It arrives on Friday.\r\n',
            dkim: 'pass',
          },
        },
      },
      errors: [invalidId('id'), new NotFoundError('Message')],
    },
  },
};
