import { allRequired, momentOf, textOf, textOrNull, textsOf } from '#http/openapi';
import type { WebhookDescription } from '#http/openapi';
import { movableFolders, threadFolders } from '../../domain/thread.js';
import { inboxId } from './example-ids.js';

type Fields = Parameters<typeof allRequired>[0];

const id = { format: 'uuid' };

const source = {
  type: 'string',
  enum: ['api', 'dashboard', 'agent', 'system'],
  description: 'Who did it. Mail that comes in is of the `system`.',
};

const label = allRequired({
  id: textOf('Id of the label.', id),
  name: textOf('Its name.'),
  color: textOf('Its colour, `#RRGGBB`.'),
});

const labels = (description: string) => ({ type: 'array', items: label, description });

const attachments = (...more: readonly (readonly [string, Fields[string]])[]) => ({
  type: 'array',
  description: 'Its attachments, without their content.',
  items: allRequired({
    id: textOf('Id of the attachment.', id),
    filename: textOrNull('Its name.'),
    size: { type: ['integer', 'null'], description: 'Bytes.' },
    ...Object.fromEntries(more),
  }),
});

const addresses: Fields = {
  to: textsOf('Addresses in the To field.'),
  cc: textsOf('Addresses in the Cc field.'),
  bcc: textsOf('Addresses in the Bcc field.'),
  subject: textOrNull('Subject.'),
};

const inbox = {
  description: 'The inbox.',
  ...allRequired({
    id: textOf('Id of the inbox.', id),
    name: textOrNull('Name, for people.'),
    email_address: textOf('Its address.'),
    domain_id: textOf('Id of the domain of its address.', id),
    receiving_address: textOrNull('The address to which a server of yours forwards; null if the domain receives here.'),
    from_name: textOrNull('Name beside the address in the From field.'),
    unread: { type: 'integer', description: 'Number of threads with unread emails.' },
    last_received: textOrNull('When the last email came.', { format: 'date-time' }),
    created_at: momentOf('When it was created.'),
    updated_at: momentOf('When it was changed last.'),
  }),
};

const thread = {
  description: 'The thread.',
  ...allRequired({
    id: textOf('Id of the thread.', id),
    from: textOrNull('From field of its newest email.'),
    ...addresses,
    labels: labels('Its labels.'),
    email_count: { type: 'integer', description: 'Number of its emails.' },
    has_attachment: { type: 'boolean', description: 'Whether an email of it has attachments.' },
    has_draft: { type: 'boolean', description: 'Whether an answer is being written.' },
    read: { type: 'boolean', description: 'Whether all of its emails are read.' },
    received_at: momentOf('When its newest email came or was sent.'),
    folder: textOf('Where it is.', { enum: [...threadFolders] }),
  }),
};

const email = {
  description: 'The email, without its content.',
  ...allRequired({
    id: textOf('Id of the email.', id),
    direction: textOf('`inbound` or `outbound`.', { enum: ['inbound', 'outbound'] }),
    from: textOf('From field.'),
    ...addresses,
    reply_to: textsOf('Addresses in the Reply-To field.'),
    message_id: textOrNull('Its Message-ID.'),
    attachments: attachments(),
    read: { type: 'boolean', description: 'Whether it is read.' },
    received_at: momentOf('When it came or was sent.'),
  }),
};

const draft = {
  description: 'The draft, without its content.',
  ...allRequired({
    id: textOf('Id of the draft.', id),
    type: textOf('`reply` if it answers an email.', { enum: ['standalone', 'reply'] }),
    ...addresses,
    to: { type: ['array', 'null'], items: { type: 'string' }, description: 'Addresses in the To field.' },
    thread_id: textOrNull('Id of the thread that it answers.', id),
    reply_to_email_id: textOrNull('Id of the email that it answers.', id),
    email_id: textOrNull('Id of the email that was sent; null until then.', id),
    created_at: momentOf('When it was created.'),
    updated_at: momentOf('When it was changed last.'),
    attachments: attachments(['content_type', textOf('Its media type.')]),
  }),
};

const threadId = textOf('Id of the thread.', id);
const emailId = textOf('Id of the email.', id);
const draftId = textOf('Id of the draft.', id);

const ids = {
  thread: '0193a1f7-4e60-7c3b-8d85-b20c7a13e9c6',
  email: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31',
  draft: '0193a1f7-5f71-7d4c-9c96-a31d8b24fad7',
};

const exampleInbox = {
  id: inboxId,
  name: 'Support',
  email_address: 'support@acme.example',
  domain_id: '0193a1f2-8d3b-7f4c-a6e1-90b7c5d2e8f4',
  receiving_address: null,
  from_name: 'Acme Support',
  unread: 0,
  last_received: null,
  created_at: '2026-11-30T20:40:00.912Z',
  updated_at: '2026-11-30T20:40:00.912Z',
};

const exampleThread = {
  id: ids.thread,
  subject: 'Where is my order?',
  from: 'Ada <ada@customer.example>',
  to: ['support@acme.example'],
  cc: [],
  bcc: [],
  labels: [],
  email_count: 1,
  has_attachment: false,
  has_draft: false,
  read: false,
  received_at: '2026-11-30T20:40:00.000Z',
  folder: 'inbox',
};

const exampleEmail = {
  id: ids.email,
  direction: 'inbound',
  from: 'Ada <ada@customer.example>',
  to: ['support@acme.example'],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'Where is my order?',
  message_id: '<1@customer.example>',
  attachments: [],
  read: false,
  received_at: '2026-11-30T20:40:00.000Z',
};

const exampleDraft = {
  id: ids.draft,
  type: 'reply',
  to: ['ada@customer.example'],
  cc: [],
  bcc: [],
  subject: 'Re: Where is my order?',
  thread_id: ids.thread,
  reply_to_email_id: ids.email,
  email_id: null,
  created_at: '2026-11-30T20:40:00.912Z',
  updated_at: '2026-11-30T20:40:00.912Z',
  attachments: [],
};

const urgent = { id: '0193a1f7-3d5f-7b2a-9e74-c19a6f02d8b5', name: 'Urgent', color: '#E5484D' };

/** An event with further fields; those of `optional` may be absent. */
function ofInbox(
  [summary, description]: readonly [string, string],
  fields: Fields,
  optional: readonly string[],
  example: object,
): WebhookDescription {
  const data = { source, inbox_id: textOf('Id of the inbox.', id), ...fields };
  return {
    summary,
    description,
    data: allRequired(data, ...optional),
    example: { source: 'api', inbox_id: inboxId, ...example },
  };
}

const mailFields = { thread_id: threadId, email_id: emailId, thread, email };
const mailExample = { thread_id: ids.thread, email_id: ids.email, thread: exampleThread, email: exampleEmail };
const arrived = { source: 'system', ...mailExample };
const folder = (description: string) => textOf(description, { enum: [...movableFolders, 'sent'] });
const draftFields = { draft_id: draftId, thread_id: threadId, draft, thread };
const draftExample = { draft_id: ids.draft, thread_id: ids.thread, draft: exampleDraft };
const ofDraft = ['thread_id', 'draft', 'thread'];

export const inboxEvents: Readonly<Record<string, WebhookDescription>> = {
  'inbox.created': ofInbox(['An inbox was created', 'Your team has a new inbox.'], { inbox }, ['inbox'], {
    inbox: exampleInbox,
  }),
  'inbox.updated': ofInbox(
    ['An inbox was changed', 'Its names or the settings of its agent were changed.'],
    { inbox },
    ['inbox'],
    { inbox: exampleInbox },
  ),
  'inbox.deleted': ofInbox(['An inbox was removed', 'Its threads and drafts went with it.'], {}, [], {}),
  'inbox.thread.created': ofInbox(
    ['A thread began', 'An email came or was sent that answers no other email of the inbox.'],
    mailFields,
    ['thread', 'email'],
    arrived,
  ),
  'inbox.thread.folder.updated': ofInbox(
    ['A thread was moved', 'Somebody moved it, or a new email brought it back.'],
    { thread_id: threadId, from: folder('Where it was.'), to: folder('Where it is.'), thread },
    ['thread'],
    { thread_id: ids.thread, from: 'inbox', to: 'archive', thread: { ...exampleThread, folder: 'archive' } },
  ),
  'inbox.thread.labels.updated': ofInbox(
    ['Labels of a thread were changed', 'It got labels, or lost some.'],
    { thread_id: threadId, added: labels('Labels that it got.'), removed: labels('Labels that it lost.'), thread },
    ['thread'],
    { thread_id: ids.thread, added: [urgent], removed: [], thread: { ...exampleThread, labels: [urgent] } },
  ),
  'inbox.email.received': ofInbox(
    ['An email came', 'It stands in its thread. `email.received` tells of it as well.'],
    mailFields,
    ['thread', 'email'],
    arrived,
  ),
  'inbox.email.sent': ofInbox(
    ['An email was sent from an inbox', 'It was accepted, and stands in its thread.'],
    mailFields,
    ['thread', 'email'],
    { ...mailExample, email: { ...exampleEmail, direction: 'outbound', read: true } },
  ),
  'inbox.draft.created': ofInbox(
    ['A draft was created', 'Somebody began to write an email.'],
    draftFields,
    ofDraft,
    draftExample,
  ),
  'inbox.draft.updated': ofInbox(
    ['A draft was changed', 'Somebody went on writing.'],
    draftFields,
    ofDraft,
    draftExample,
  ),
  'inbox.draft.sent': ofInbox(
    ['A draft was sent', 'It became an email. `inbox.email.sent` follows.'],
    { ...draftFields, email_id: emailId, email },
    ['draft', 'thread', 'email'],
    { ...draftExample, email_id: ids.email, draft: { ...exampleDraft, email_id: ids.email } },
  ),
  'inbox.draft.deleted': ofInbox(['A draft was deleted', 'Nothing was sent.'], draftFields, ofDraft, {
    draft_id: ids.draft,
    thread_id: ids.thread,
  }),
};
