import type { TeamEvent, TeamEventType } from '#events';
import { newId } from '#kernel';
import { InboxDraft } from './draft.js';
import { Inbox, ShownInbox } from './inbox.js';
import { InboxEmail, InboxThread, ThreadFolder, ThreadLabel } from './thread.js';

/** Who changed something. */
export type InboxEventSource = 'api' | 'dashboard' | 'agent' | 'system';

export type InboxEventType = Extract<TeamEventType, `inbox.${string}`>;

/** What events of inboxes tell beside their source and their inbox (docs/wire-contract.md section 22.4). */
interface EventFields {
  readonly inbox?: ShownInbox;
  readonly thread?: InboxThread;
  readonly email?: InboxEmail;
  readonly draft?: InboxDraft;
  /** The folders between which the thread was moved. */
  readonly moved?: { readonly from: ThreadFolder; readonly to: ThreadFolder };
  /** The addresses of members. */
  readonly assigned?: { readonly from: string | null; readonly by: string | null };
  readonly labels?: { readonly added: readonly ThreadLabel[]; readonly removed: readonly ThreadLabel[] };
}

/** Events have no contents: those are read over the API. */
export function inboxEvent(
  type: InboxEventType,
  { id: inboxId, teamId }: Pick<Inbox, 'id' | 'teamId'>,
  source: InboxEventSource,
  { inbox, thread, email, draft, moved, assigned, labels }: EventFields,
  now: Date,
): TeamEvent {
  const assignee = (assigned && thread?.assigneeEmail) ?? undefined;
  const data = {
    source,
    inbox_id: inboxId,
    thread_id: thread?.id ?? draft?.threadId ?? undefined,
    email_id: email?.id,
    draft_id: draft?.id,
    from: moved?.from,
    to: moved?.to,
    assignee_email: assignee,
    assigned_by_email: assignee && assigned?.by,
    previous_assignee_email: assigned?.from,
    added: labels?.added,
    removed: labels?.removed,
    inbox: inbox && inboxData(inbox),
    thread: thread && { object: 'inbox_thread', ...shownThread(thread) },
    email: email && emailData(email),
    draft: draft && draftData(draft),
  };
  return { id: newId(now.getTime()), teamId, type, data, createdAt: now };
}

/** Clients know its name as a text. */
function inboxData(inbox: ShownInbox): object {
  return {
    object: 'inbox',
    id: inbox.id,
    name: inbox.name ?? '',
    email_address: inbox.address,
    domain_id: inbox.domainId,
    receiving_address: inbox.receivingAddress,
    from_name: inbox.fromName,
    unread: inbox.unread,
    drafts: inbox.drafts,
    last_received: inbox.lastReceivedAt?.toISOString() ?? null,
    created_at: inbox.createdAt.toISOString(),
    updated_at: inbox.updatedAt.toISOString(),
  };
}

/** A thread as the API and events show it. */
export interface ShownThread {
  readonly id: string;
  readonly subject: string | null;
  readonly from: string | null;
  readonly to: string[];
  readonly cc: string[];
  readonly bcc: string[];
  readonly labels: ThreadLabel[];
  readonly email_count: number;
  readonly has_attachment: boolean;
  readonly has_draft: boolean;
  readonly read: boolean;
  readonly received_at: string;
  readonly folder: ThreadFolder;
  readonly assignee_email: string | null;
}

export function shownThread(thread: InboxThread): ShownThread {
  return {
    id: thread.id,
    subject: thread.subject,
    from: thread.from,
    to: [...thread.to],
    cc: [...thread.cc],
    bcc: [...thread.bcc],
    labels: [...thread.labels],
    email_count: thread.emailCount,
    has_attachment: thread.hasAttachment,
    has_draft: thread.hasDraft,
    read: thread.isRead,
    received_at: thread.lastEmailAt.toISOString(),
    folder: thread.folder,
    assignee_email: thread.assigneeEmail,
  };
}

export function emailData(email: InboxEmail): object {
  return {
    id: email.id,
    direction: email.direction,
    from: email.from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    reply_to: email.replyTo,
    subject: email.subject,
    message_id: email.messageId,
    attachments: email.attachments,
    read: email.isRead,
    received_at: email.receivedAt.toISOString(),
  };
}

/** Without its content, like emails. */
function draftData(draft: InboxDraft): object {
  return {
    object: 'inbox_draft',
    id: draft.id,
    type: draft.threadId === null ? 'standalone' : 'reply',
    to: draft.to,
    cc: draft.cc,
    bcc: draft.bcc,
    subject: draft.subject,
    thread_id: draft.threadId,
    reply_to_email_id: draft.replyToEmailId,
    email_id: draft.emailId,
    created_at: draft.createdAt.toISOString(),
    updated_at: draft.updatedAt.toISOString(),
    attachments: draft.attachments.map(({ id, filename, contentType, size }) => ({
      id,
      filename,
      content_type: contentType,
      size,
    })),
  };
}
