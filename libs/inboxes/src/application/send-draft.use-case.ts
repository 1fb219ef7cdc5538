import type { AcceptedEmail } from '#emails';
import { Principal } from '#identity';
import { Clock, found, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkAnswerHeaders, headersOfAnswer, recipientsOfReply, subjectOfReply } from '../domain/answer.js';
import { InboxDraft } from '../domain/draft.js';
import { DraftChangesError } from '../domain/draft-errors.js';
import { Inbox } from '../domain/inbox.js';
import { InboxEmail } from '../domain/thread.js';
import { foundInbox, requireSender, requireSending } from './found-inbox.js';
import { MailMemory } from './mail-memory.js';
import { KeyedRequest, Once, PreparedWork } from './once.js';
import { DraftRepository, OriginalEmails } from './ports/draft-repository.port.js';
import { InboxRepository } from './ports/inbox-repository.port.js';
import { ThreadRepository } from './ports/thread-repository.port.js';
import { SentEmails } from './sent-emails.js';
import { senderOf, SentId } from './send-from-inbox.use-case.js';

/** How often a draft that is changed while it is being sent is read again. */
const maxTries = 3;

/** The draft was changed after the email was made of it. */
class StaleDraftError extends Error {}

export interface DraftKey {
  /** The id of the inbox, or its address. */
  readonly inbox: string;
  readonly draftId: string;
}

/** Sends drafts. Each is sent once: who sends it again gets the id of the same email. */
@Injectable()
export class SendDraft {
  // oxlint-disable-next-line max-params -- a draft, the email that it answers, and what sends it
  constructor(
    private readonly inboxes: InboxRepository,
    private readonly threads: ThreadRepository,
    private readonly drafts: DraftRepository,
    private readonly originals: OriginalEmails,
    private readonly sent: SentEmails,
    private readonly memory: MailMemory,
    private readonly once: Once,
    private readonly clock: Clock,
  ) {}

  async send(
    principal: Principal,
    { inbox: inboxKey, draftId }: DraftKey,
    headers: Readonly<Record<string, string>>,
    keyed?: KeyedRequest,
  ): Promise<SentId> {
    requireSending(principal);
    checkAnswerHeaders(headers);
    const inbox = await foundInbox(this.inboxes, principal.teamId, inboxKey);
    requireSender(principal, inbox);
    for (let tries = 1; ; tries++) {
      try {
        return await this.sendAsItIs(principal, inbox, { draftId, headers, keyed });
      } catch (error) {
        if (!(error instanceof StaleDraftError)) throw error;
        if (tries === maxTries) throw new DraftChangesError();
      }
    }
  }

  private sendAsItIs(
    principal: Principal,
    inbox: Inbox,
    {
      draftId,
      headers,
      keyed,
    }: {
      readonly draftId: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly keyed: KeyedRequest | undefined;
    },
  ): Promise<SentId> {
    const endpoint = `POST /inboxes/${inbox.id}/drafts/${draftId}/send`;
    return this.once.run({ teamId: principal.teamId, endpoint, keyed }, async (commit) => {
      const draft = found('Draft', await this.drafts.find(inbox.id, draftId));
      if (draft.emailId !== null) return commit(alreadySent(draft.emailId));
      const size = draft.attachments.reduce((sum, attachment) => sum + attachment.size, 0);
      return this.memory.during(principal.teamId, size, async () => {
        const accepted = await this.composed(principal, inbox, draft, headers);
        return commit(this.prepared(principal, inbox, draft, accepted));
      });
    });
  }

  private async composed(
    principal: Principal,
    inbox: Inbox,
    draft: InboxDraft,
    headers: Readonly<Record<string, string>>,
  ): Promise<AcceptedEmail> {
    const answered = await this.answered(inbox, draft);
    const files = draft.attachments.length === 0 ? [] : await this.drafts.files(draft.id);
    return this.sent.compose(principal, {
      ...fieldsOf(inbox, draft, answered),
      from: senderOf(inbox),
      headers: { ...headers, ...(await this.headersOf(principal.teamId, answered)) },
      attachments: files.map(({ filename, contentType, contentId, content }) => ({
        filename,
        contentType,
        contentId: contentId ?? undefined,
        content,
      })),
    });
  }

  /** The email that the draft answers; undefined if it begins a thread. */
  private async answered(inbox: Inbox, { threadId, replyToEmailId }: InboxDraft): Promise<InboxEmail | undefined> {
    if (threadId === null || replyToEmailId === null) return undefined;
    return found('Email', await this.threads.email(inbox.id, threadId, replyToEmailId));
  }

  private async headersOf(teamId: string, email: InboxEmail | undefined): Promise<Record<string, string>> {
    if (email === undefined) return {};
    return headersOfAnswer(email.messageId, await this.originals.references(teamId, email));
  }

  private prepared(
    principal: Principal,
    inbox: Inbox,
    composed: InboxDraft,
    accepted: AcceptedEmail,
  ): PreparedWork<SentId> {
    const { threadId } = composed;
    const place = threadId === null ? { root: undefined, isSpam: false } : { threadId };
    return {
      response: { id: accepted.email.id },
      settled: async (transaction) => {
        const draft = found('Draft', await this.drafts.lock(inbox.id, composed.id, transaction));
        if (draft.emailId !== null) return { id: draft.emailId };
        if (draft.version !== composed.version) throw new StaleDraftError();
        return undefined;
      },
      write: async (transaction: Transaction) => {
        const sent = { ...composed, emailId: accepted.email.id, updatedAt: this.clock.now() };
        await this.drafts.markSent(sent, transaction);
        return this.sent.write(principal, { inbox, accepted, place }, sent, transaction);
      },
    };
  }
}

function alreadySent(id: string): PreparedWork<SentId> {
  return {
    response: { id },
    write: async () => ({ send: async () => () => undefined }),
  };
}

/** A reply has the recipients and the subject of a reply where the draft has none. */
function fieldsOf(inbox: Inbox, draft: InboxDraft, answered: InboxEmail | undefined) {
  const { cc, bcc, html, text } = draft;
  const to = draft.to ?? undefined;
  const subject = draft.subject ?? (answered === undefined ? undefined : subjectOfReply(answered.subject));
  const body = { subject, html: html ?? undefined, text: text ?? undefined };
  if (answered === undefined || to !== undefined) return { to, cc, bcc, ...body };
  return { ...recipientsOfReply(answered, inbox, { all: false, cc, bcc }), ...body };
}
