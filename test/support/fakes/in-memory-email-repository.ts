import type { LastEvent } from '#events';
import { isUuid, Page, pageOf, PageRequest, Transaction, ValidationError } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';
import { AcceptedEmails } from '../../../libs/emails/src/application/ports/outbound-queue.port.js';
import {
  EmailRepository,
  LockedRecipient,
  OutgoingEmail,
} from '../../../libs/emails/src/application/ports/email-repository.port.js';
import { MessageStore } from '../../../libs/emails/src/application/ports/message-store.port.js';
import { outgoingEmails, storedIdsOf } from '../../../libs/emails/src/application/stored-content.js';
import { AcceptedEmail } from '../../../libs/emails/src/domain/accepted-email.js';
import { EmailEvent, RecipientChange, RecipientStatus } from '../../../libs/emails/src/domain/email-events.js';
import { Email, Tag } from '../../../libs/emails/src/domain/email.js';
import { InMemoryEmail, InMemoryEmails } from './in-memory-emails.js';

export class InMemoryEmailRepository extends EmailRepository {
  constructor(
    private readonly emails: InMemoryEmails,
    private readonly store: MessageStore,
  ) {
    super();
  }

  async find(id: string, teamId?: string): Promise<Email | undefined> {
    const email = this.emails.byId.get(id)?.email;
    return teamId === undefined || email?.teamId === teamId ? email : undefined;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Email>> {
    const { after, before, limit } = page;
    const cursor = after ?? before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of an email.');
    const emails = [...this.emails.byId.values()].map(({ email }) => email).filter((email) => email.teamId === teamId);
    emails.sort((a, b) => (a.id < b.id ? 1 : -1));
    if (before !== undefined) {
      const newer = emails.filter(({ id }) => id > before).reverse();
      return pageOf(page, newer.slice(0, limit + 1));
    }
    return pageOf(page, emails.filter(({ id }) => after === undefined || id < after).slice(0, limit + 1));
  }

  async findAll(ids: readonly string[]): Promise<readonly Email[]> {
    return ids.flatMap((id) => this.emails.byId.get(id)?.email ?? []);
  }

  async events(teamId: string, id: string, after: number, limit: number): Promise<readonly EmailEvent[]> {
    const stored = this.emails.byId.get(id);
    if (stored?.email.teamId !== teamId) return [];
    return stored.events.filter(({ seq }) => seq > after).slice(0, limit);
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>> {
    const emails = ids.flatMap((id) => this.emails.byId.get(id)?.email ?? []);
    const outgoing = outgoingEmails(emails, await this.store.get(storedIdsOf(emails)));
    return new Map(outgoing.map((one) => [one.email.id, one]));
  }

  async teamsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(
      ids.flatMap((id): [string, string][] => {
        const teamId = this.emails.byId.get(id)?.email.teamId;
        return teamId === undefined ? [] : [[id, teamId]];
      }),
    );
  }

  async tagsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Tag[]>> {
    return new Map(
      ids.flatMap((id): [string, readonly Tag[]][] => {
        const tags = this.emails.byId.get(id)?.email.tags ?? null;
        return tags === null ? [] : [[id, tags]];
      }),
    );
  }

  async topicsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(
      ids.flatMap((id): [string, string][] => {
        const topicId = this.emails.byId.get(id)?.email.topicId ?? null;
        return topicId === null ? [] : [[id, topicId]];
      }),
    );
  }

  async lockRecipient(emailId: string, no: number): Promise<LockedRecipient | undefined> {
    const stored = this.emails.byId.get(emailId);
    const recipient = stored?.recipients.find((candidate) => candidate.no === no);
    if (stored === undefined || recipient === undefined) return undefined;
    const { address, status } = recipient;
    const wasDelayed = stored.events.some(
      (event) => event.type === 'email.delivery_delayed' && event.recipient === address,
    );
    return { teamId: stored.email.teamId, address, status, wasDelayed };
  }

  async recordChanges(changes: readonly RecipientChange[]): Promise<void> {
    const inOrder = [...changes].sort((a, b) => a.at.getTime() - b.at.getTime() || a.recipientNo - b.recipientNo);
    for (const change of inOrder) this.recordChange(change);
  }

  private recordChange(change: RecipientChange): void {
    const stored = this.emails.byId.get(change.emailId);
    const recipient = stored?.recipients.find(({ no }) => no === change.recipientNo);
    if (stored === undefined || recipient === undefined || !moves(recipient.status, change)) return;
    recipient.status = change.status;
    stored.log(change.event, recipient.address, change.data, change.at);
    const lastEvent = change.event.slice('email.'.length) as LastEvent;
    const isRead = ['opened', 'clicked'].includes(stored.email.lastEvent);
    if (!isRead || !['delivered', 'delivery_delayed'].includes(lastEvent)) stored.change({ lastEvent });
  }
}

function moves(from: RecipientStatus, { status, event }: RecipientChange): boolean {
  switch (from) {
    case 'queued':
      return true;
    case 'delayed':
      return status !== 'delayed';
    case 'delivered':
      return (
        status === 'complained' ||
        status === 'bounced' ||
        (status === 'delivered' && event === 'email.delivery_delayed')
      );
    default:
      return false;
  }
}

/** Keeps accepted emails in memory, for tests. */
export class InMemoryAcceptedEmails extends AcceptedEmails {
  constructor(private readonly emails: InMemoryEmails) {
    super();
  }

  async insert(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<void> {
    for (const accepted of emails) {
      const { id, scheduledAt } = accepted.email;
      this.emails.byId.set(id, new InMemoryEmail(accepted));
      if (scheduledAt !== null) this.emails.waiting.set(id, scheduledAt);
      inMemory(transaction).onRollback(() => {
        this.emails.byId.delete(id);
        this.emails.waiting.delete(id);
      });
    }
  }

  /** A commit in memory is always confirmed. */
  wereInsertedBefore(): boolean {
    return false;
  }
}
