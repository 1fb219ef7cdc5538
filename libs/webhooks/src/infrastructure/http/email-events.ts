import type { EmailEventType, WebhookEventType } from '#events';
import { allRequired, momentOf, textOf, textsOf } from '#http/openapi';
import type { Schema, WebhookDescription } from '#http/openapi';
import { webhookId } from './webhook.response.js';

const uuid = { format: 'uuid' };
const timestamp = '2026-11-30T20:40:00.912Z';

const common: Readonly<Record<string, Schema>> = {
  email_id: textOf('Id of the email.', uuid),
  created_at: momentOf('When the email was accepted.'),
  message_id: textOf('Message-ID of the email, with angle brackets.'),
  from: textOf('The sender, with its address in normal form.'),
  to: textsOf('Address of the recipient that the event concerns; all of `to` where it concerns the whole email.'),
  subject: textOf('The subject.'),
  broadcast_id: textOf('Id of its broadcast. Absent where it belongs to none.', uuid),
  template_id: textOf('Id of the template that it was made from. Absent where there was none.', uuid),
  tags: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Values of its tags by name. Absent if it has none.',
  },
  headers: {
    type: 'array',
    items: allRequired({ name: textOf('Name of the header field.'), value: textOf('Its value.') }),
    description: 'Its custom header fields. Absent if it has none.',
  },
};

const example = {
  email_id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31',
  created_at: '2026-11-30T20:39:59.540Z',
  message_id: '<0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31@acme.example>',
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  subject: 'Your order is on its way',
  tags: { category: 'shipping' },
};

/** The event of an email, and the field that its type adds. */
function ofEmail(
  summary: string,
  description: string,
  name = '',
  field: Schema = {},
  value?: unknown,
): WebhookDescription {
  const added = name === '' ? {} : { [name]: field };
  return {
    summary,
    description,
    ofEmail: true,
    data: allRequired({ ...common, ...added }, 'broadcast_id', 'template_id', 'tags', 'headers'),
    example: name === '' ? example : { ...example, [name]: value },
  };
}

const diagnosticCode = textsOf('The reply of the receiving server, such as `smtp; 550 5.1.1 No such user`.');

const bounce = {
  description: 'Why it bounced.',
  ...allRequired({
    message: textOf('The reason.'),
    type: textOf('`Permanent`, `Transient` or `Undetermined`.'),
    subType: textOf(
      '`General`, `NoEmail`, `MailboxFull`, `MessageTooLarge`, `ContentRejected`, `AttachmentRejected` or `Undetermined`.',
    ),
    diagnosticCode,
  }),
};

const suppressed = {
  description: 'Why nothing was sent.',
  ...allRequired({
    message: textOf('The reason, as a sentence.'),
    type: textOf('`OnAccountSuppressionList`, or `Suppressed` of a test address.'),
    reason: textOf('`previous_bounce`, `previous_complaint` or `manual`.'),
    diagnosticCode,
  }),
};

const visit = {
  ipAddress: textOf('Address of the client.'),
  timestamp: momentOf('When it happened.'),
  userAgent: textOf('User agent of the client.'),
  machine: { type: 'boolean', description: 'True if no person was involved, else absent.' },
  reason: textOf('How the machine was recognized, such as `prefetch`. Absent of people.'),
};
const open = { description: 'The opening.', ...allRequired(visit, 'machine', 'reason') };
const click = {
  description: 'The click.',
  ...allRequired({ ...visit, link: textOf('The link as you wrote it.') }, 'machine', 'reason'),
};
const client = { ipAddress: '198.51.100.7', timestamp, userAgent: 'Mozilla/5.0' };

export const emailEvents: Readonly<Record<(EmailEventType & WebhookEventType) | 'webhook.test', WebhookDescription>> = {
  'email.sent': ofEmail('An email was accepted', 'Once for each recipient.'),
  'email.scheduled': ofEmail('An email was scheduled', 'Once for the email.'),
  'email.delivered': ofEmail('An email was delivered', 'The receiving server took the email for this recipient.'),
  'email.delivery_delayed': ofEmail('An email is delayed', 'An attempt failed for now. Later attempts follow.'),
  'email.bounced': ofEmail('An email bounced', 'The email cannot be delivered to this recipient.', 'bounce', bounce, {
    message: 'No such user',
    type: 'Permanent',
    subType: 'NoEmail',
    diagnosticCode: ['smtp; 550 5.1.1 No such user'],
  }),
  'email.complained': ofEmail('A recipient complained', 'The recipient reported the email as spam.'),
  'email.opened': ofEmail('An email was opened', 'Only if opens are tracked.', 'open', open, client),
  'email.clicked': ofEmail('A link was clicked', 'Only if clicks are tracked.', 'click', click, {
    ...client,
    link: 'https://acme.example/orders/17',
  }),
  'email.failed': ofEmail(
    'An email failed',
    'It could not be sent, although it had been accepted.',
    'failed',
    { description: 'Why it failed.', ...allRequired({ reason: textOf('A word for the reason.') }) },
    { reason: 'reached_daily_quota' },
  ),
  'email.suppressed': ofEmail('An email was not sent', 'The recipient is suppressed.', 'suppressed', suppressed, {
    message: 'Nothing was sent to this address: an earlier email to it bounced.',
    type: 'OnAccountSuppressionList',
    reason: 'previous_bounce',
    diagnosticCode: [],
  }),
  'webhook.test': {
    summary: 'A test event',
    description: 'The answer to `POST /webhooks/{webhookId}/events/test`. No endpoint can subscribe to it.',
    data: allRequired({ webhook_id: textOf('Id of the webhook.', uuid), message: textOf('Always `This is a test.`') }),
    example: { webhook_id: webhookId, message: 'This is a test.' },
  },
};
