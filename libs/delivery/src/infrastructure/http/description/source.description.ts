import { NotFoundError } from '#kernel';
import { idParameter, invalidId } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { emailId } from './trace-example.js';

const example = `DKIM-Signature: v=1; a=rsa-sha256; d=acme.example; s=postrider; …\r
From: Acme <hello@acme.example>\r
To: ada@customer.example\r
Subject: Your order is on its way\r
\r
It arrives on Friday.\r
`;

export const apiDescription: ApiDescription = {
  tag: 'Emails',
  operations: {
    'GET /emails/{id}/raw': {
      operationId: 'getEmailSource',
      summary: 'Get the source of an email',
      description:
        'The whole message as a recipient gets it: header fields, MIME parts, links that are tracked, and signatures with the ' +
        'present keys of the domain. It is made for the request, as it is made for delivery. An addition of Postrider.',
      parameters: {
        id: idParameter('Id of the email.', emailId),
        recipient: {
          description: 'Address of the recipient. Default: the first one.',
          example: 'ada@customer.example',
        },
      },
      responses: { 200: { description: 'The message.', example } },
      errors: [invalidId('id'), new NotFoundError('Email')],
    },
  },
};
