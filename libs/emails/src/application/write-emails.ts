import { LastStatements, Transaction } from '#kernel';
import { CountedMessages, CountedUsage, Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { isPersonal } from '../domain/email.js';
import { AcceptanceObserver } from './ports/acceptance-observer.port.js';
import { AcceptedEmails } from './ports/accepted-emails.port.js';
import { maxPipelinedPutBytes, MessageStore, StoredMessage } from './ports/message-store.port.js';
import { OutboundQueue, QueuedRecipient } from './ports/outbound-queue.port.js';
import { RecentEmails } from './recent-emails.js';
import { contentsOf } from './stored-content.js';

/** The data for `announce`, which is called after the commit. */
export interface WrittenEmails {
  readonly emails: readonly AcceptedEmail[];
  readonly queued: readonly QueuedRecipient[];
  readonly usage: CountedUsage | undefined;
}

/** The last steps of acceptance: stores contents, writes everything that belongs to the emails, and announces them. */
@Injectable()
export class WriteEmails {
  constructor(
    private readonly store: MessageStore,
    private readonly queue: OutboundQueue,
    private readonly emails: AcceptedEmails,
    private readonly quotas: Quotas,
    private readonly recent: RecentEmails,
    private readonly observer: AcceptanceObserver,
  ) {}

  /** Stores contents before the transaction if the store cannot join it. */
  async storeAhead(emails: readonly AcceptedEmail[]): Promise<void> {
    if (!this.store.joinsTransaction) await this.store.put(emails.flatMap(contentsOf));
  }

  /**
   * The statements that write screened emails. They throw the errors of an exceeded quota. Large contents are sent
   * before them, because they take a while, and the others lock counters until the commit.
   */
  async write(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<LastStatements<WrittenEmails>> {
    if (emails.length === 0) return { send: async () => ({ emails, queued: [], usage: undefined }) };
    const queued = emails.flatMap(queuedRecipients);
    const contents = this.store.joinsTransaction ? emails.flatMap(contentsOf) : [];
    const isLarge = bytesIn(contents) > maxPipelinedPutBytes;
    if (isLarge) await this.store.put(contents, transaction);
    return {
      mayRefuse: this.quotas.mayRefuse,
      // Executed in order. Statements that lock counters come last: events lock the counter of their log, quotas that
      // of their team.
      send: () =>
        Promise.all([
          isLarge || contents.length === 0 ? undefined : this.store.put(contents, transaction),
          queued.length > 0 ? this.queue.enqueue(queued, transaction) : undefined,
          this.emails.insert(emails, transaction),
          this.quotas.count(countedMessages(emails), transaction),
        ]).then(([, , , usage]) => ({ emails, queued, usage })),
    };
  }

  /**
   * Whether the error of a transaction says that an earlier attempt to write these emails was committed, and only its
   * confirmation was lost.
   */
  wereWrittenBefore(error: unknown): boolean {
    return this.emails.wereInsertedBefore(error);
  }

  /**
   * Called after the commit: wakes the workers, and remembers what the commit has changed.
   *
   * @param requests number of requests that shared the transaction
   */
  announce({ emails, queued, usage }: WrittenEmails, requests = 1): void {
    for (const email of emails) if (email.email.scheduledAt === null) this.recent.add(email);
    this.observer.committed(requests, emails);
    if (usage !== undefined) this.quotas.remember(usage);
    this.queue.wake(queued);
  }
}

/** Counts each recipient as one message. */
export function countedMessages(emails: readonly AcceptedEmail[]): CountedMessages[] {
  return emails.map(({ email, recipients }) => ({ teamId: email.teamId, messages: recipients.length }));
}

function bytesIn(contents: readonly StoredMessage[]): number {
  return contents.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Recipients to queue now. Scheduled mail is queued when it is due, and a withheld recipient never. */
function queuedRecipients({ email, region, recipients, mailFrom }: AcceptedEmail): QueuedRecipient[] {
  if (email.scheduledAt !== null) return [];
  return recipients
    .filter(({ withheld }) => withheld === undefined)
    .map(({ no, address }) => ({
      emailId: email.id,
      teamId: email.teamId,
      domainId: email.domainId,
      region,
      recipientNo: no,
      address,
      size: email.size,
      queuedAt: email.createdAt,
      mailFrom,
      isPersonal: isPersonal(email),
      isBulk: email.isBulk === true,
    }));
}
