import { allRequired, Always, exampleOfShape, schemaOfShape, Shape, textOf, textOrNull } from '#http/openapi';
import type { WebhookDescription } from '#http/openapi';
import { movableFolders } from '../../domain/thread.js';
import { DraftResponse } from './draft.response.js';
import { inboxId } from './example-ids.js';
import { InboxResponse } from './inbox.response.js';
import { InboxEmailResponse, ThreadLabelResponse, ThreadSummaryResponse } from './thread.response.js';

type Fields = Parameters<typeof allRequired>[0];

const id = { format: 'uuid' };

const source = {
  type: 'string',
  enum: ['api', 'dashboard', 'agent', 'system'],
  description: 'Who did it. Mail that comes in is of the `system`.',
};

const labels = (description: string) => ({
  type: 'array',
  items: schemaOfShape(ThreadLabelResponse, 'A label.'),
  description,
});

@Shape('A thread.')
class EventThread extends ThreadSummaryResponse {
  @Always('inbox_thread') object!: 'inbox_thread';
}

const inbox = schemaOfShape(InboxResponse, 'The inbox.');
const thread = schemaOfShape(EventThread, 'The thread.');
const email = schemaOfShape(InboxEmailResponse, 'The email, without its content.', 'html', 'text');
const draft = schemaOfShape(DraftResponse, 'The draft, without its content.', 'html', 'text');

const threadId = textOf('Id of the thread.', id);
const emailId = textOf('Id of the email.', id);
const previous = textOrNull('Address of who looked after it before; null if nobody did.');
const member = 'grace@acme.example';
const draftId = textOf('Id of the draft.', id);

const exampleInbox = exampleOfShape(InboxResponse);
const exampleThread = exampleOfShape(EventThread);
const exampleEmail = exampleOfShape(InboxEmailResponse, 'html', 'text');
const standalone = exampleOfShape(DraftResponse, 'html', 'text');
const ids = { thread: exampleThread.id, email: exampleEmail.id, draft: standalone.id };
const exampleDraft = { ...standalone, type: 'reply', thread_id: ids.thread, reply_to_email_id: ids.email };

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
  'inbox.thread.assigned': ofInbox(
    ['A thread was assigned', 'A member of your team looks after it now.'],
    {
      thread_id: threadId,
      assignee_email: textOrNull('Address of the member.'),
      assigned_by_email: textOrNull('Address of the member who assigned it; null if an API key did.'),
      previous_assignee_email: previous,
      thread,
    },
    ['thread'],
    {
      thread_id: ids.thread,
      assignee_email: member,
      assigned_by_email: null,
      previous_assignee_email: null,
      thread: { ...exampleThread, assignee_email: member },
    },
  ),
  'inbox.thread.unassigned': ofInbox(
    ['A thread was unassigned', 'Nobody looks after it now.'],
    { thread_id: threadId, previous_assignee_email: previous, thread },
    ['thread'],
    { thread_id: ids.thread, previous_assignee_email: member, thread: exampleThread },
  ),
  'inbox.thread.labels.updated': ofInbox(
    ['Labels of a thread were changed', 'It got labels, or lost some.'],
    { thread_id: threadId, added: labels('Labels that it got.'), removed: labels('Labels that it lost.'), thread },
    ['thread'],
    { thread_id: ids.thread, added: [urgent], removed: [], thread: { ...exampleThread, labels: [urgent] } },
  ),
  'inbox.email.received': ofInbox(
    ['An email arrived', 'It is in its thread. `email.received` reports it as well.'],
    mailFields,
    ['thread', 'email'],
    arrived,
  ),
  'inbox.email.sent': ofInbox(
    ['An email was sent from an inbox', 'It was accepted, and is in its thread.'],
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
