import { DatabaseTransaction } from '#platform/database';
import { CountedUsage, Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { countedMessages } from '../../application/acceptance/quota-check.js';
import { MessageStore, maxPipelinedPutBytes, StoredMessage } from '../../application/ports/message-store.port.js';
import { OutboundQueue, QueuedRecipient } from '../../application/ports/outbound-queue.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { isPersonal } from '../../domain/email.js';
import { acceptanceStatement } from './acceptance-statement.js';
import { contentsOf } from './stored-content.js';

/** The data for `announce`, which is called after the commit. */
export interface WrittenEmails {
  readonly queued: readonly QueuedRecipient[];
  readonly usage: CountedUsage | undefined;
}

/** Writes everything that belongs to an accepted email. */
@Injectable()
export class AcceptedEmailsWriter {
  constructor(
    private readonly store: MessageStore,
    private readonly queue: OutboundQueue,
    private readonly quotas: Quotas,
  ) {}

  /** Stores contents before the transaction where the store cannot join it. */
  async writeAhead(emails: readonly AcceptedEmail[]): Promise<void> {
    if (!this.store.joinsTransaction) await this.store.put(emails.flatMap(contentsOf));
  }

  /** Writes all rows, and those of `last` at the end. Must be the last step of the transaction. */
  async write(
    emails: readonly AcceptedEmail[],
    transaction: DatabaseTransaction,
    last?: () => Promise<void>,
  ): Promise<WrittenEmails> {
    if (emails.length === 0) {
      await last?.();
      return { queued: [], usage: undefined };
    }
    const queued = emails.flatMap(queuedRecipients);
    const acceptance = acceptanceStatement(emails);
    const contents = this.store.joinsTransaction ? emails.flatMap(contentsOf) : [];
    const stored = contents.length > 0 ? this.store.put(contents, transaction) : undefined;
    // Waits before counters are locked, because large content takes a while.
    if (bytesIn(contents) > maxPipelinedPutBytes) await stored;
    // Sent together, executed in order. Statements that lock counters come last (events lock the counter of their log,
    // quotas that of their team), because these locks last until the commit.
    const written = Promise.all([
      queued.length > 0 ? this.queue.enqueue(queued, transaction) : undefined,
      transaction.execute(acceptance),
      this.quotas.count(countedMessages(emails), transaction),
      stored,
      last?.(),
    ]);
    if (!this.quotas.mayRefuse) void transaction.commit();
    const [, , usage] = await written;
    return { queued, usage };
  }

  announce({ queued, usage }: WrittenEmails): void {
    if (usage !== undefined) this.quotas.remember(usage);
    this.queue.wake(queued);
  }
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
