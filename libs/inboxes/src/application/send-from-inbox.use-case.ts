import type { RequestedAttachment, SendRequest } from '#emails';
import { Principal } from '#identity';
import { formatMailbox, found, LargeText, parseMailbox, Text } from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  checkAnswerHeaders,
  headersOfAnswer,
  recipientsOfReply,
  subjectOfForward,
  subjectOfReply,
} from '../domain/answer.js';
import { maxFileBytes, maxFiles } from '../domain/draft.js';
import { FilesTooLargeError, TooManyFilesError } from '../domain/draft-errors.js';
import { forwardedBody } from '../domain/forwarded-body.js';
import { Inbox } from '../domain/inbox.js';
import { InboxEmail } from '../domain/thread.js';
import { foundInbox, requireSender, requireSending } from './found-inbox.js';
import { MailMemory } from './mail-memory.js';
import { KeyedEndpoint, KeyedRequest, Once } from './once.js';
import { InboxRepository } from './ports/inbox-repository.port.js';
import { OriginalEmails } from './ports/draft-repository.port.js';
import { ThreadRepository } from './ports/thread-repository.port.js';
import { SentEmails } from './sent-emails.js';

/** The email that is answered or forwarded. */
export interface AnsweredKey {
  /** The id of the inbox, or its address. */
  readonly inbox: string;
  readonly threadId: string;
  readonly emailId: string;
}

/** What replies and forwards have in common. */
export interface EmailAnswer {
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject?: string;
  readonly html?: Text;
  readonly text?: Text;
  readonly attachments: readonly RequestedAttachment[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface EmailReply extends EmailAnswer {
  readonly all: boolean;
}

export interface EmailForward extends EmailAnswer {
  readonly to: readonly string[];
}

export interface SentId {
  readonly id: string;
}

/** Longer texts are kept outside of the heap. */
const maxShortText = 64 * 1024;

/** Answers and forwards emails of inboxes. Both stay in the thread of the email. */
@Injectable()
export class SendFromInbox {
  constructor(
    private readonly inboxes: InboxRepository,
    private readonly threads: ThreadRepository,
    private readonly originals: OriginalEmails,
    private readonly sent: SentEmails,
    private readonly memory: MailMemory,
    private readonly once: Once,
  ) {}

  async reply(principal: Principal, key: AnsweredKey, request: EmailReply, keyed?: KeyedRequest): Promise<SentId> {
    const { inbox, email } = await this.answered(principal, key, request);
    return this.once.run(endpointOf(inbox, email, 'reply', keyed), async (commit) => {
      const recipients = recipientsOfReply(email, inbox, request);
      const subject = request.subject ?? subjectOfReply(email.subject);
      const { html, text, attachments } = request;
      const answer = { ...recipients, html, text, attachments, subject };
      return commit(await this.prepared(principal, { inbox, email }, request, answer));
    });
  }

  async forward(principal: Principal, key: AnsweredKey, request: EmailForward, keyed?: KeyedRequest): Promise<SentId> {
    const { inbox, email } = await this.answered(principal, key, request);
    return this.once.run(endpointOf(inbox, email, 'forward', keyed), async (commit) => {
      if (request.attachments.length + email.attachments.length > maxFiles) throw new TooManyFilesError();
      const size = found('The content of the email', await this.originals.sizeOf(principal.teamId, email));
      return this.memory.during(principal.teamId, size, async () => {
        const answer = await this.forwarded(principal, email, request);
        return commit(await this.prepared(principal, { inbox, email }, request, answer));
      });
    });
  }

  private async answered(
    principal: Principal,
    { inbox: inboxKey, threadId, emailId }: AnsweredKey,
    { attachments, headers }: EmailAnswer,
  ): Promise<{ readonly inbox: Inbox; readonly email: InboxEmail }> {
    requireSending(principal);
    checkAnswerHeaders(headers);
    checkFiles(attachments);
    const inbox = await foundInbox(this.inboxes, principal.teamId, inboxKey);
    requireSender(principal, inbox);
    found('Thread', await this.threads.find(inbox.id, threadId));
    const email = found('Email', await this.threads.email(inbox.id, threadId, emailId));
    return { inbox, email };
  }

  private async forwarded(principal: Principal, email: InboxEmail, request: EmailForward): Promise<SendRequest> {
    const { to, cc, bcc } = request;
    const original = await this.originals.contents(principal.teamId, email);
    const attachments = [...request.attachments, ...original.attachments];
    checkFiles(attachments);
    const note = { html: stringOf(request.html), text: stringOf(request.text) };
    const { html, text } = forwardedBody(note, email, original.body);
    const subject = request.subject ?? subjectOfForward(email.subject);
    return { to, cc, bcc, subject, html: textOf(html), text: textOf(text), attachments };
  }

  private async prepared(
    principal: Principal,
    { inbox, email }: { readonly inbox: Inbox; readonly email: InboxEmail },
    { headers }: EmailAnswer,
    answer: SendRequest,
  ) {
    const references = await this.originals.references(principal.teamId, email);
    const accepted = await this.sent.compose(principal, {
      ...answer,
      from: senderOf(inbox),
      headers: { ...headers, ...headersOfAnswer(email.messageId, references) },
    });
    const outgoing = { inbox, accepted, place: { threadId: email.threadId } };
    return {
      response: { id: accepted.email.id },
      write: (transaction: Parameters<SentEmails['write']>[3]) =>
        this.sent.write(principal, outgoing, undefined, transaction),
    };
  }
}

function endpointOf(
  { id, teamId }: Inbox,
  email: InboxEmail,
  operation: 'reply' | 'forward',
  keyed: KeyedRequest | undefined,
): KeyedEndpoint {
  const endpoint = `POST /inboxes/${id}/threads/${email.threadId}/emails/${email.id}/${operation}`;
  return { teamId, endpoint, keyed };
}

/** The From of what an inbox sends. */
export function senderOf({ address, fromName }: Pick<Inbox, 'address' | 'fromName'>): string {
  const mailbox = parseMailbox(address);
  return mailbox === undefined || fromName === null ? address : formatMailbox({ ...mailbox, name: fromName });
}

function checkFiles(attachments: readonly RequestedAttachment[]): void {
  if (attachments.length > maxFiles) throw new TooManyFilesError();
  const bytes = attachments.reduce((sum, file) => sum + ('content' in file ? file.content.length : 0), 0);
  if (bytes > maxFileBytes) throw new FilesTooLargeError();
}

function stringOf(text: Text | undefined): string | null {
  return text === undefined ? null : text.toString();
}

function textOf(text: string | null): Text | undefined {
  if (text === null) return undefined;
  return text.length > maxShortText ? LargeText.from(text) : text;
}
