import { DatabaseTransaction } from '#platform/database';
import { CountedUsage, Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { countedMessages } from '../../application/acceptance/quota-check.js';
import { MessageStore, putAtOnce, StoredMessage } from '../../application/ports/message-store.port.js';
import { OutboundQueue, QueuedRecipient } from '../../application/ports/outbound-queue.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { acceptanceStatement } from './acceptance-statement.js';
import { contentsOf } from './stored-content.js';

/** What others are told of once the transaction is committed. */
export interface WrittenEmails {
  readonly queued: readonly QueuedRecipient[];
  readonly usage: CountedUsage | undefined;
}

/** Writes everything that makes an email accepted. */
@Injectable()
export class AcceptedEmailsWriter {
  constructor(
    private readonly store: MessageStore,
    private readonly queue: OutboundQueue,
    private readonly quotas: Quotas,
  ) {}

  /** Stores contents that cannot be part of the transaction, ahead of it. */
  async writeAhead(emails: readonly AcceptedEmail[]): Promise<void> {
    if (!this.store.joinsTransaction) await this.store.put(emails.flatMap(contentsOf));
  }

  /** Writes all of it; the last part of the transaction. */
  async write(emails: readonly AcceptedEmail[], transaction: DatabaseTransaction): Promise<WrittenEmails> {
    if (emails.length === 0) return { queued: [], usage: undefined };
    const queued = emails.flatMap(queuedRecipients);
    const acceptance = acceptanceStatement(emails);
    const contents = this.store.joinsTransaction ? emails.flatMap(contentsOf) : [];
    const stored = contents.length > 0 ? this.store.put(contents, transaction) : undefined;
    // Before counters are locked: large content takes a while.
    if (bytesIn(contents) > putAtOnce) await stored;
    // Sent together, done in order. What counts comes last (events are counted as they are written, usage by itself),
    // because the locks on counters last until the commit.
    const written = Promise.all([
      queued.length > 0 ? this.queue.enqueue(queued, transaction) : undefined,
      transaction.execute(acceptance),
      this.quotas.count(countedMessages(emails), transaction),
      stored,
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

/** Scheduled mail is queued when it is due, a suppressed recipient never. */
function queuedRecipients({ email, region, recipients }: AcceptedEmail): QueuedRecipient[] {
  if (email.scheduledAt !== null) return [];
  return recipients
    .filter(({ suppression }) => suppression === undefined)
    .map(({ no, address }) => ({
      emailId: email.id,
      teamId: email.teamId,
      domainId: email.domainId,
      region,
      recipientNo: no,
      address,
      size: email.size,
      queuedAt: email.createdAt,
    }));
}
