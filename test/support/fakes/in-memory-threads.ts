import { newId, Page, PageRequest, pageOf } from '#kernel';
import { InboxArrival, ArrivalQueue } from '../../../libs/inboxes/src/application/ports/arrival-queue.port.js';
import {
  EmailToFile,
  FiledEmail,
  FoundThread,
  LabelChange,
  ThreadChange,
  ThreadChanges,
  ThreadPlace,
  ThreadRepository,
} from '../../../libs/inboxes/src/application/ports/thread-repository.port.js';
import { InboxEmail, InboxThread } from '../../../libs/inboxes/src/domain/thread.js';

/** Only the fields that a test is about are given. */
export function anEmailToFile(fields: Partial<EmailToFile> = {}): EmailToFile {
  return {
    id: newId(),
    direction: 'inbound',
    from: 'Ada <ada@customer.test>',
    to: ['support@acme.test'],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Order',
    messageId: null,
    attachments: [],
    receivedAt: new Date(),
    text: '',
    ...fields,
  };
}

/** Threads of which each has one root. They are not searched, and their labels have no names. */
export class InMemoryThreads extends ThreadRepository {
  readonly threads: InboxThread[] = [];
  readonly mail: InboxEmail[] = [];
  private readonly roots = new Map<string, string>();

  async file(inboxId: string, email: EmailToFile, place: ThreadPlace): Promise<FiledEmail | undefined> {
    if (this.mail.some((known) => known.inboxId === inboxId && known.id === email.id)) return undefined;
    const root = 'root' in place ? place.root : undefined;
    const known = 'threadId' in place ? place.threadId : root && this.roots.get(root);
    const before = this.threads.find(({ id }) => id === known);
    const isInbound = email.direction === 'inbound';
    const thread: InboxThread = {
      id: before?.id ?? newId(),
      inboxId,
      subject: before?.subject ?? email.subject,
      from: email.from,
      to: email.to,
      cc: email.cc,
      bcc: email.bcc,
      labels: [],
      emailCount: (before?.emailCount ?? 0) + 1,
      hasAttachment: email.attachments.length > 0,
      hasDraft: false,
      isRead: !isInbound && before?.isRead !== false,
      lastEmailAt: email.receivedAt,
      folder: isInbound ? 'inbox' : (before?.folder ?? 'sent'),
      assigneeEmail: before?.assigneeEmail ?? null,
    };
    this.put(thread);
    if (root !== undefined) this.roots.set(root, thread.id);
    const { text: _, ...fields } = email;
    const filed = { ...fields, inboxId, threadId: thread.id, isRead: !isInbound };
    this.mail.push(filed);
    const movedFrom = before === undefined || before.folder === thread.folder ? undefined : before.folder;
    return { email: filed, thread, isNewThread: before === undefined, movedFrom };
  }

  async find(inboxId: string, id: string): Promise<InboxThread | undefined> {
    return this.threads.find((thread) => thread.inboxId === inboxId && thread.id === id);
  }

  async list(inboxId: string, _filter: unknown, page: PageRequest): Promise<Page<InboxThread>> {
    return pageOf(
      page,
      this.threads.filter((thread) => thread.inboxId === inboxId),
    );
  }

  async search(inboxId: string, filter: unknown, _search: unknown, page: PageRequest): Promise<Page<FoundThread>> {
    const { items, hasMore } = await this.list(inboxId, filter, page);
    return { items: items.map((thread) => ({ ...thread, matchedEmailId: null })), hasMore };
  }

  async change(
    inboxId: string,
    id: string,
    { isRead, folder, assigneeEmail }: ThreadChanges,
  ): Promise<ThreadChange | undefined> {
    const before = await this.find(inboxId, id);
    if (before === undefined) return undefined;
    const assignee = assigneeEmail === undefined ? before.assigneeEmail : assigneeEmail;
    const thread = {
      ...before,
      isRead: isRead ?? before.isRead,
      folder: folder ?? before.folder,
      assigneeEmail: assignee,
    };
    this.put(thread);
    return {
      thread,
      movedFrom: thread.folder === before.folder ? undefined : before.folder,
      assignedFrom: assignee === before.assigneeEmail ? undefined : before.assigneeEmail,
    };
  }

  async addressOf(_inboxId: string, userId: string): Promise<string> {
    return `${userId}@acme.test`;
  }

  async label(
    inboxId: string,
    id: string,
    how: 'add' | 'remove' | 'replace',
    labels: readonly string[],
  ): Promise<LabelChange | undefined> {
    const before = await this.find(inboxId, id);
    if (before === undefined) return undefined;
    const known = before.labels.map((label) => label.id);
    const wanted = how === 'replace' ? labels : how === 'add' ? [...known, ...labels] : known;
    const kept = how === 'remove' ? wanted.filter((label) => !labels.includes(label)) : [...new Set(wanted)];
    const thread = { ...before, labels: kept.map((label) => ({ id: label, name: label, color: '#000000' })) };
    this.put(thread);
    return { thread, before };
  }

  async emails(inboxId: string, threadId: string, page: PageRequest): Promise<Page<InboxEmail>> {
    const all = this.mail.filter((email) => email.inboxId === inboxId && email.threadId === threadId).reverse();
    return pageOf(page, page.before === undefined ? all : [...all].reverse());
  }

  async email(inboxId: string, threadId: string, id: string): Promise<InboxEmail | undefined> {
    return this.mail.find((email) => email.inboxId === inboxId && email.threadId === threadId && email.id === id);
  }

  private put(thread: InboxThread): void {
    const index = this.threads.findIndex(({ id }) => id === thread.id);
    if (index < 0) this.threads.push(thread);
    else this.threads[index] = thread;
  }
}

export class InMemoryArrivals extends ArrivalQueue {
  readonly waiting: (InboxArrival & { readonly dueAt: Date })[] = [];

  add(arrival: Omit<InboxArrival, 'failures'>, dueAt: Date): void {
    this.waiting.push({ ...arrival, failures: 0, dueAt });
  }

  async take(now: Date): Promise<readonly InboxArrival[]> {
    return this.waiting.filter(({ dueAt }) => dueAt <= now);
  }

  async done({ receivedId, inboxId }: InboxArrival): Promise<void> {
    const index = this.waiting.findIndex((one) => one.receivedId === receivedId && one.inboxId === inboxId);
    this.waiting.splice(index, 1);
  }

  async failed(arrival: InboxArrival, dueAt: Date): Promise<void> {
    await this.done(arrival);
    this.waiting.push({ ...arrival, failures: arrival.failures + 1, dueAt });
  }
}
