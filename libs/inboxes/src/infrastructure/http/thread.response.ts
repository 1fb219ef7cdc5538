import { inPieces, toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Flag,
  Id,
  IdOrNull,
  Instant,
  ListOf,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  Whole,
  WholeOrNull,
} from '#http/openapi';
import type { ReadInboxEmail, ReadText } from '../../application/read-inbox-emails.query.js';
import type { FoundThread } from '../../application/ports/thread-repository.port.js';
import { emailData, shownThread } from '../../domain/inbox-events.js';
import { InboxThread, threadFolders } from '../../domain/thread.js';
import type { EmailDirection, ThreadFolder } from '../../domain/thread.js';
import { attachmentId, emailId, labelId, threadId } from './example-ids.js';

@Shape('A label of a thread.')
export class ThreadLabelResponse {
  @Id('Id of the label.', labelId) id!: string;
  @Text('Name.', 'Invoices') name!: string;
  @Text('Colour, as `#RRGGBB`.', '#2f7d5b') color!: string;
}

@Shape('The labels that the thread has now.')
export class ThreadLabelsResponse {
  @Always('list') object!: 'list';
  @ListOf(ThreadLabelResponse, 'By name.') data!: ThreadLabelResponse[];
}

@Shape('A thread: emails that answer each other. The addresses are those of its newest email.')
export class ThreadSummaryResponse {
  @Id('Id of the thread.', threadId) id!: string;
  @TextOrNull('Subject of its first email; null if it has none.', 'Where is my order?') subject!: string | null;
  @TextOrNull('Author of its newest email; null once that was deleted.', 'Ada Lovelace <ada@customer.example>')
  from!: string | null;
  @Texts('Recipients of its newest email.', ['support@acme.example']) to!: string[];
  @Texts('Copy recipients of its newest email.', []) cc!: string[];
  @Texts('Blind-copy recipients of its newest email.', []) bcc!: string[];
  @ListOf(ThreadLabelResponse, 'Labels, by name.') labels!: ThreadLabelResponse[];
  @Whole('Number of emails.', 2) email_count!: number;
  @Flag('Whether one of its emails has an attachment.', false) has_attachment!: boolean;
  @Flag('Whether a draft answers one of its emails.', false) has_draft!: boolean;
  @Flag('Whether all of its emails are read.', false) read!: boolean;
  @Instant('When its newest email came or was sent.', '2026-11-30T20:41:12.300Z') received_at!: string;
  @OneOf(threadFolders, 'Folder. `sent`: nobody has answered yet.', 'inbox') folder!: ThreadFolder;
  @TextOrNull('Address of the member who looks after it; null if nobody does.', null) assignee_email!: string | null;
}

@Shape('A thread that was found.')
export class FoundThreadResponse extends ThreadSummaryResponse {
  @IdOrNull('The newest email that matches; null if only folders and labels were asked for.', emailId)
  matched_email_id!: string | null;
}

@Shape('What describes a thread.')
export class ThreadResponse {
  @Always('inbox_thread') object!: 'inbox_thread';
  @Id('Id of the thread.', threadId) id!: string;
  @TextOrNull('Subject of its first email; null if it has none.', 'Where is my order?') subject!: string | null;
  @OneOf(threadFolders, 'Folder. `sent`: nobody has answered yet.', 'inbox') folder!: ThreadFolder;
  @TextOrNull('Address of the member who looks after it; null if nobody does.', null) assignee_email!: string | null;
  @ListOf(ThreadLabelResponse, 'Labels, by name.') labels!: ThreadLabelResponse[];
  @Flag('Whether all of its emails are read.', false) read!: boolean;
}

@Shape('The thread is in the trash.')
export class RemovedThreadResponse extends Deleted(ReferenceTo('inbox_thread', 'Id of the thread.', threadId)) {}

@Shape('An attachment of an email in an inbox.')
export class InboxEmailAttachmentResponse {
  @Id('Id of the attachment.', attachmentId) id!: string;
  @TextOrNull('File name; null if it has none.', 'invoice.pdf') filename!: string | null;
  @WholeOrNull('Size in bytes; null if it is not known.', 18_204) size!: number | null;
}

@Shape('An email of a thread.')
export class InboxEmailResponse {
  @Id('Id of the received or sent email, which other endpoints take as well.', emailId) id!: string;
  @OneOf(['inbound', 'outbound'], 'Whether it was received or sent.', 'inbound') direction!: EmailDirection;
  @Text('Author.', 'Ada Lovelace <ada@customer.example>') from!: string;
  @Texts('Recipients.', ['support@acme.example']) to!: string[];
  @Texts('Copy recipients.', []) cc!: string[];
  @Texts('Blind-copy recipients.', []) bcc!: string[];
  @Texts('Addresses for replies.', []) reply_to!: string[];
  @TextOrNull('Subject; null if it has none.', 'Where is my order?') subject!: string | null;
  @TextOrNull('Message-ID with its angle brackets; null if it has none.', '<a7c1@customer.example>')
  message_id!: string | null;
  @ListOf(InboxEmailAttachmentResponse, 'Attachments.') attachments!: InboxEmailAttachmentResponse[];
  @Flag('Whether it is read. What was sent is read.', false) read!: boolean;
  @Instant('When it came or was sent.', '2026-11-30T20:41:12.300Z') received_at!: string;
  @Field('HTML body; null if it has none.', { nullable: true }, '<p>It should have come on Friday.</p>')
  html!: string | null;
  @Field('Text body; null if it has none.', { nullable: true }, 'It should have come on Friday.')
  text!: string | null;
}

export function foundThread(thread: FoundThread): FoundThreadResponse {
  return { ...shownThread(thread), matched_email_id: thread.matchedEmailId };
}

export const threadResponse = (thread: InboxThread): ThreadResponse =>
  toResponse(ThreadResponse, thread, { read: thread.isRead });

/** The fields of an `InboxEmailResponse`, with large bodies as streams. */
export function inboxEmail({ email, html, text }: ReadInboxEmail): Record<string, unknown> {
  return { ...emailData(email), html: textOf(html), text: textOf(text) };
}

/** Larger bodies are sent in pieces. */
const maxWholeBytes = 256 * 1024;

function textOf(text: ReadText | null): unknown {
  if (!(text instanceof Uint8Array)) return text;
  return text.length > maxWholeBytes ? inPieces(text) : new TextDecoder().decode(text);
}
