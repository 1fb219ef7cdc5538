import { SendInTransaction } from '#emails';
import { newId, Page, PageRequest, Transaction } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';
import { InMemoryRows } from './in-memory-rows.js';
import { Drafts } from '../../../libs/inboxes/src/application/drafts.use-case.js';
import { FetchAttachments } from '../../../libs/emails/src/application/fetch-attachments.use-case.js';
import { LinkedAttachments } from '../../../libs/emails/src/application/linked-attachments.js';
import { MailMemory } from '../../../libs/inboxes/src/application/mail-memory.js';
import { Once } from '../../../libs/inboxes/src/application/once.js';
import {
  AddedDraft,
  DraftRepository,
  OriginalContents,
  OriginalEmails,
} from '../../../libs/inboxes/src/application/ports/draft-repository.port.js';
import { InboxRepository } from '../../../libs/inboxes/src/application/ports/inbox-repository.port.js';
import {
  EmailToFile,
  FiledEmail,
  ThreadPlace,
  ThreadRepository,
} from '../../../libs/inboxes/src/application/ports/thread-repository.port.js';
import { SendDraft } from '../../../libs/inboxes/src/application/send-draft.use-case.js';
import { SendFromInbox } from '../../../libs/inboxes/src/application/send-from-inbox.use-case.js';
import { SentEmails } from '../../../libs/inboxes/src/application/sent-emails.js';
import {
  DraftFile,
  DraftSummary,
  InboxDraft,
  maxOpenDrafts,
  maxTeamFileBytes,
} from '../../../libs/inboxes/src/domain/draft.js';
import { Inbox } from '../../../libs/inboxes/src/domain/inbox.js';
import { snippetOf } from '../../../libs/inboxes/src/domain/shown-text.js';
import { InboxEmail, InboxThread } from '../../../libs/inboxes/src/domain/thread.js';
import { InMemorySending, sendingDomain } from './in-memory-sending.js';
import { RecordedTeamEvents } from './recorded-team-events.js';

/** Drafts of one team. */
export class InMemoryDrafts extends DraftRepository {
  readonly rows = new InMemoryRows<InboxDraft>();
  private readonly filesOf = new Map<string, readonly DraftFile[]>();

  async add(_: string, draft: InboxDraft, files: readonly DraftFile[], transaction: Transaction): Promise<AddedDraft> {
    const open = this.rows.where(({ emailId }) => emailId === null);
    if (open.length >= maxOpenDrafts) return 'full';
    this.rows.set(draft, transaction);
    return this.keep(draft.id, files, transaction) ? 'added' : 'too many bytes';
  }

  async find(inboxId: string, id: string): Promise<InboxDraft | undefined> {
    const draft = this.rows.get(id);
    return draft?.inboxId === inboxId ? draft : undefined;
  }

  async list(inboxId: string, page: PageRequest): Promise<Page<DraftSummary>> {
    const drafts = this.rows.page(page, (draft) => draft.inboxId === inboxId && draft.emailId === null);
    return { ...drafts, items: drafts.items.map((draft) => ({ ...draft, snippet: snippetOf(draft) })) };
  }

  lock(inboxId: string, id: string): Promise<InboxDraft | undefined> {
    return this.find(inboxId, id);
  }

  async lockAttachments(): Promise<void> {}

  async change(
    _: string,
    draft: InboxDraft,
    added: readonly DraftFile[] | undefined,
    transaction: Transaction,
  ): Promise<boolean> {
    this.rows.set(draft, transaction);
    if (added === undefined) return true;
    const kept = (this.filesOf.get(draft.id) ?? []).filter(({ id }) => draft.attachments.some((one) => one.id === id));
    return this.keep(draft.id, [...kept, ...added], transaction);
  }

  async files(draftId: string): Promise<readonly DraftFile[]> {
    return this.filesOf.get(draftId) ?? [];
  }

  async remove(draftId: string, transaction: Transaction): Promise<void> {
    this.rows.delete(draftId, transaction);
    this.keep(draftId, [], transaction);
  }

  async markSent(draft: InboxDraft, transaction: Transaction): Promise<void> {
    this.rows.set(draft, transaction);
    this.keep(draft.id, [], transaction);
  }

  private keep(draftId: string, files: readonly DraftFile[], transaction: Transaction): boolean {
    const before = this.filesOf.get(draftId) ?? [];
    inMemory(transaction).onRollback(() => this.filesOf.set(draftId, before));
    this.filesOf.set(draftId, files);
    const sizes = [...this.filesOf.values()].flat().map(({ size }) => size);
    return sizes.reduce((sum, size) => sum + size, 0) <= maxTeamFileBytes;
  }
}

/** Threads as sending sees them: it finds emails, and files those that leave. */
export class SendingThreads {
  readonly threads = new InMemoryRows<InboxThread>();
  readonly emails = new InMemoryRows<InboxEmail>();

  async file(
    inboxId: string,
    { text: _, ...email }: EmailToFile,
    place: ThreadPlace,
    transaction: Transaction,
  ): Promise<FiledEmail> {
    const isNewThread = !('threadId' in place);
    const threadId = isNewThread ? newId() : place.threadId;
    const filed = { ...email, inboxId, threadId, isRead: email.direction === 'outbound' };
    const thread = this.threads.get(threadId) ?? threadOf(filed);
    this.threads.set(thread, transaction);
    this.emails.set(filed, transaction);
    return { email: filed, thread, isNewThread, movedFrom: undefined };
  }

  async find(inboxId: string, id: string): Promise<InboxThread | undefined> {
    const thread = this.threads.get(id);
    return thread?.inboxId === inboxId ? thread : undefined;
  }

  async email(inboxId: string, threadId: string, id: string): Promise<InboxEmail | undefined> {
    const email = this.emails.get(id);
    return email?.inboxId === inboxId && email.threadId === threadId ? email : undefined;
  }

  asRepository(): ThreadRepository {
    return this as unknown as ThreadRepository;
  }
}

function threadOf({ id: _, threadId, inboxId, ...email }: InboxEmail): InboxThread {
  const { subject, from, to, cc, bcc, receivedAt: lastEmailAt } = email;
  const addresses = { subject, from, to, cc, bcc };
  const state = {
    labels: [],
    emailCount: 1,
    hasAttachment: false,
    hasDraft: false,
    isRead: true,
    folder: 'sent',
    assigneeEmail: null,
  } as const;
  return { ...addresses, ...state, id: threadId, inboxId, lastEmailAt };
}

/** The contents of emails, by id. */
export class InMemoryOriginals extends OriginalEmails {
  readonly contentsById = new Map<string, OriginalContents>();
  readonly referencesById = new Map<string, readonly string[]>();
  size = 1_000;

  async references(_: string, { id }: InboxEmail): Promise<readonly string[]> {
    return this.referencesById.get(id) ?? [];
  }

  async sizeOf(_: string, { id }: InboxEmail): Promise<number | undefined> {
    return this.contentsById.has(id) ? this.size : undefined;
  }

  async contents(_: string, { id }: InboxEmail): Promise<OriginalContents> {
    const contents = this.contentsById.get(id);
    if (contents === undefined) throw new Error(`The content of ${id} is gone`);
    return contents;
  }
}

/** Sending from one inbox of one team, in memory. */
export class InMemoryInboxSending {
  readonly sending = new InMemorySending();
  readonly drafts = new InMemoryDrafts();
  readonly threads = new SendingThreads();
  readonly originals = new InMemoryOriginals();
  readonly events = new RecordedTeamEvents();
  readonly inbox: Inbox = {
    id: newId(),
    teamId: this.sending.teamId,
    domainId: this.sending.domainId,
    address: `support@${sendingDomain}`,
    receivingAddress: null,
    name: null,
    fromName: 'Support',
    unread: 0,
    lastReceivedAt: null,
    agent: { instructions: null, tone: null, actions: [] },
    createdAt: this.sending.clock.now(),
    updatedAt: this.sending.clock.now(),
  };
  readonly inboxes = {
    find: async (teamId: string, key: string): Promise<Inbox | undefined> =>
      teamId === this.inbox.teamId && [this.inbox.id, this.inbox.address].includes(key) ? this.inbox : undefined,
  } as unknown as InboxRepository;
  readonly memory = new MailMemory();
  readonly once = new Once(this.sending.keys, this.sending.unitOfWork, this.sending.clock);
  readonly sent = new SentEmails(
    new SendInTransaction(
      this.sending.composeEmail,
      this.sending.screening,
      this.sending.acceptEmails,
      this.sending.room,
      this.sending.depth,
    ),
    this.threads.asRepository(),
    this.events,
    this.sending.clock,
  );
  readonly draftsUseCase = new Drafts(
    this.inboxes,
    this.threads.asRepository(),
    this.drafts,
    new FetchAttachments(new LinkedAttachments(this.sending.sources)),
    this.sending.room,
    this.events,
    this.once,
    this.sending.unitOfWork,
    this.sending.clock,
  );
  readonly sendDraft = new SendDraft(
    this.inboxes,
    this.threads.asRepository(),
    this.drafts,
    this.originals,
    this.sent,
    this.memory,
    this.once,
    this.sending.clock,
  );
  readonly sendFromInbox = new SendFromInbox(
    this.inboxes,
    this.threads.asRepository(),
    this.originals,
    this.sent,
    this.memory,
    this.once,
  );

  get principal(): InMemorySending['principal'] {
    return this.sending.principal;
  }

  /** A received email in a thread of its own. */
  received(fields: Partial<InboxEmail> = {}): InboxEmail {
    const email: InboxEmail = {
      id: newId(),
      inboxId: this.inbox.id,
      threadId: newId(),
      direction: 'inbound',
      from: 'ada@customer.test',
      to: [this.inbox.address],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: 'Question',
      messageId: '<second@customer.test>',
      attachments: [],
      isRead: false,
      receivedAt: this.sending.clock.now(),
      ...fields,
    };
    this.threads.threads.set(threadOf(email));
    this.threads.emails.set(email);
    return email;
  }
}
