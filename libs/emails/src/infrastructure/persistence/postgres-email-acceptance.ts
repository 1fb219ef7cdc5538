import { Database, GroupCommit } from '#platform/database';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { EmailAcceptance } from '../../application/ports/email-acceptance.port.js';
import { MessageStore, StoredMessage } from '../../application/ports/message-store.port.js';
import { OutboundQueue, QueuedRecipient } from '../../application/ports/outbound-queue.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { acceptanceStatement } from './acceptance-statement.js';
import { RecentEmails } from './recent-emails.js';
import { encodeBody, mimePrefix } from './stored-body.js';

/** Bytes of one group at most: what is larger goes alone, so that small mail never waits behind it. */
const largestShared = 1024 * 1024;

/**
 * Accepts emails in shared transactions: one commit and a handful of statements for everything that arrives within a
 * few milliseconds.
 */
@Injectable()
export class PostgresEmailAcceptance extends EmailAcceptance implements OnApplicationShutdown {
  private readonly small = new GroupCommit((groups: readonly (readonly AcceptedEmail[])[]) => this.write(groups), {
    maximumBatch: 256,
    concurrency: 1,
    gatherMs: 2,
  });
  private readonly large = new GroupCommit((groups: readonly (readonly AcceptedEmail[])[]) => this.write(groups), {
    maximumBatch: 1,
    concurrency: 4,
    gatherMs: 0,
  });

  constructor(
    private readonly database: Database,
    private readonly store: MessageStore,
    private readonly queue: OutboundQueue,
    private readonly recent: RecentEmails,
  ) {
    super();
  }

  accept(emails: readonly AcceptedEmail[]): Promise<void> {
    const size = emails.reduce((sum, { email }) => sum + email.size, 0);
    return (size > largestShared ? this.large : this.small).submit(emails);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.small.drain(), this.large.drain()]);
  }

  private async write(groups: readonly (readonly AcceptedEmail[])[]): Promise<{ value: void }[]> {
    const emails = groups.flat();
    const contents = emails.flatMap(contentsOf);
    const queued = emails.flatMap(queuedRecipients);
    if (!this.store.joinsTransaction) await this.store.put(contents);
    await this.database.run(async (transaction) => {
      await Promise.all([
        transaction.execute(acceptanceStatement(emails)),
        this.store.joinsTransaction ? this.store.put(contents, transaction) : undefined,
        queued.length > 0 ? this.queue.enqueue(queued, transaction) : undefined,
      ]);
    });
    for (const email of emails) if (email.email.scheduledAt === null) this.recent.add(email);
    this.queue.wake(queued);
    return groups.map(() => ({ value: undefined }));
  }
}

function contentsOf({ email, body, attachmentContents, mime }: AcceptedEmail): StoredMessage[] {
  if (mime !== undefined) {
    return mime.bytes === undefined ? [] : [{ id: email.id, bytes: Buffer.concat([mimePrefix, mime.bytes]) }];
  }
  return [
    { id: email.id, bytes: encodeBody(body) },
    ...attachmentContents.map(({ attachment, content }) => ({ id: attachment.id, bytes: content })),
  ];
}

/** Scheduled mail is queued when it is due. */
function queuedRecipients({ email, recipients }: AcceptedEmail): QueuedRecipient[] {
  if (email.scheduledAt !== null) return [];
  return recipients.map(({ no, address }) => ({
    emailId: email.id,
    recipientNo: no,
    address,
    size: email.size,
    queuedAt: email.createdAt,
  }));
}
