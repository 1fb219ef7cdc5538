import { SendInTransaction } from '#emails';
import type { AcceptedEmail, SendRequest } from '#emails';
import { Principal } from '#identity';
import { TeamEvents, TeamEvent } from '#events';
import { Clock, found, LastStatements, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { InboxDraft } from '../domain/draft.js';
import { Inbox } from '../domain/inbox.js';
import { inboxEvent } from '../domain/inbox-events.js';
import { textOfHtml } from '../domain/shown-text.js';
import { sourceOf } from './found-inbox.js';
import { EmailToFile, FiledEmail, ThreadPlace, ThreadRepository } from './ports/thread-repository.port.js';

/** Characters of an email that a search looks at. */
const maxSearchedText = 64 * 1024;

/** An email that leaves an inbox. */
export interface EmailOfInbox {
  readonly inbox: Inbox;
  readonly accepted: AcceptedEmail;
  readonly place: ThreadPlace;
}

/** Sends emails and files them into their threads: both are durable, or neither is. */
@Injectable()
export class SentEmails {
  constructor(
    private readonly sending: SendInTransaction,
    private readonly threads: ThreadRepository,
    private readonly events: TeamEvents,
    private readonly clock: Clock,
  ) {}

  /** Makes the email. Throws what `POST /emails` refuses. */
  compose({ teamId, actor }: Principal, request: SendRequest): Promise<AcceptedEmail> {
    return this.sending.compose(teamId, actor, request);
  }

  /** The last statements of the transaction: they throw the errors of an exceeded quota. */
  async write(
    principal: Principal,
    { inbox, accepted, place }: EmailOfInbox,
    draft: InboxDraft | undefined,
    transaction: Transaction,
  ): Promise<LastStatements<() => void>> {
    const filed = found('Inbox', await this.threads.file(inbox.id, filedEmail(accepted), place, transaction));
    await this.events.append(this.eventsOf(principal, inbox, filed, draft), transaction);
    return this.sending.accept([accepted], transaction);
  }

  private eventsOf(
    principal: Principal,
    inbox: Inbox,
    { email, thread, isNewThread }: FiledEmail,
    draft: InboxDraft | undefined,
  ): TeamEvent[] {
    const now = this.clock.now();
    const source = sourceOf(principal);
    const begun = inboxEvent('inbox.thread.created', inbox, 'system', { thread, email }, now);
    const sentDraft = inboxEvent('inbox.draft.sent', inbox, source, { draft, thread, email }, now);
    const sent = inboxEvent('inbox.email.sent', inbox, source, { thread, email }, now);
    return [...(isNewThread ? [begun] : []), ...(draft === undefined ? [] : [sentDraft]), sent];
  }
}

function filedEmail({ email, body }: AcceptedEmail): EmailToFile {
  const { id, from, to, cc, bcc, replyTo, subject, messageId, attachments, createdAt } = email;
  const text = body.text === null ? textOfHtml(beginningOf(body.html)) : beginningOf(body.text);
  return {
    id,
    direction: 'outbound',
    from,
    to,
    cc: cc ?? [],
    bcc: bcc ?? [],
    replyTo: replyTo ?? [],
    subject,
    messageId,
    attachments: (attachments ?? []).map(({ id: attachmentId, filename, size }) => ({
      id: attachmentId,
      filename,
      size,
    })),
    receivedAt: createdAt,
    text,
  };
}

function beginningOf(text: AcceptedEmail['body']['html']): string {
  if (text === null) return '';
  const beginning = typeof text === 'string' ? text : text.beginning(maxSearchedText);
  return beginning.slice(0, maxSearchedText).toWellFormed();
}
