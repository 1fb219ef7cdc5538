import { allRequired, momentOf, textOf, textOrNull, textsOf } from '#http/openapi';
import type { WebhookDescription } from '#http/openapi';
import { attachmentId, receivedId, threadId } from './received-email.response.js';

const uuid = { format: 'uuid' };

const attachment = allRequired({
  id: textOf('Id of the attachment.', uuid),
  filename: textOrNull('Its file name, or null.'),
  content_type: textOf('Its type.'),
  content_disposition: textOrNull('`attachment`, `inline`, or null.'),
  content_id: textOrNull('Its Content-ID, or null.'),
});

export const receivedEvents: Readonly<Record<string, WebhookDescription>> = {
  'email.received': {
    summary: 'An email was received',
    description: 'Without its content: read that with `GET /emails/receiving/{id}`.',
    data: allRequired({
      email_id: textOf('Id of the received email.', uuid),
      created_at: momentOf('When it was received.'),
      from: textOf('Address of the sender.'),
      to: textsOf('Addresses of `To`.'),
      cc: textsOf('Addresses of `Cc`.'),
      bcc: textsOf('Addresses of `Bcc`.'),
      received_for: textsOf('The addresses of yours for which it came.'),
      message_id: textOf('Its Message-ID.'),
      subject: textOf('Its subject.'),
      thread_id: textOf('Emails of a conversation have the same one.', uuid),
      attachments: { type: 'array', items: attachment, description: 'Its attachments.' },
    }),
    example: {
      email_id: receivedId,
      created_at: '2026-11-30T20:39:59.540Z',
      from: 'ada@customer.example',
      to: ['support+orders@acme.example'],
      cc: [],
      bcc: [],
      received_for: ['support+orders@acme.example'],
      message_id: '<b7d2a9c6e31@customer.example>',
      subject: 'Where is my order?',
      thread_id: threadId,
      attachments: [
        {
          id: attachmentId,
          filename: 'invoice.pdf',
          content_type: 'application/pdf',
          content_disposition: 'attachment',
          content_id: null,
        },
      ],
    },
  },
};
