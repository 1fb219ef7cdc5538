import { IdempotencyClaim } from '#idempotency';
import { Database, DatabaseTransaction, GroupCommit, ItemResult } from '#platform/database';
import { CountedMessages, Quotas, TeamUsage } from '#rate-limit';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Acceptance, EmailAcceptance } from '../../application/ports/email-acceptance.port.js';
import { MessageStore, StoredMessage } from '../../application/ports/message-store.port.js';
import { OutboundQueue, QueuedRecipient } from '../../application/ports/outbound-queue.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { acceptanceStatement } from './acceptance-statement.js';
import { AcceptanceClaims } from './acceptance-claims.js';
import { RecentEmails } from './recent-emails.js';
import { encodeBody } from './stored-body.js';

/** Emails that are accepted together or not at all. */
export interface AcceptanceRequest {
  readonly emails: readonly AcceptedEmail[];
  readonly claim: IdempotencyClaim | undefined;
}

/** Bytes of one group at most: what is larger goes alone, so that small mail never waits behind it. */
const largestShared = 1024 * 1024;

/**
 * Accepts emails in shared transactions: one commit and a handful of statements for everything that arrives within a
 * few milliseconds.
 */
@Injectable()
export class PostgresEmailAcceptance extends EmailAcceptance implements OnApplicationShutdown {
  private readonly small = new GroupCommit((requests: readonly AcceptanceRequest[]) => this.write(requests), {
    maximumBatch: 256,
    concurrency: 1,
    gatherMs: 2,
  });
  private readonly large = new GroupCommit((requests: readonly AcceptanceRequest[]) => this.write(requests), {
    maximumBatch: 1,
    concurrency: 4,
    gatherMs: 0,
  });

  constructor(
    private readonly database: Database,
    private readonly store: MessageStore,
    private readonly queue: OutboundQueue,
    private readonly recent: RecentEmails,
    private readonly claims: AcceptanceClaims,
    private readonly quotas: Quotas,
  ) {
    super();
  }

  async accept(emails: readonly AcceptedEmail[], claim?: IdempotencyClaim): Promise<Acceptance> {
    // A repetition must be answered even where the quota is used up, and only the transaction can tell it from a first.
    if (claim === undefined)
      for (const { teamId, messages } of messagesOf(emails)) this.quotas.refuseBeyond(teamId, messages);
    const size = emails.reduce((sum, { email }) => sum + email.size, 0);
    return (size > largestShared ? this.large : this.small).submit({ emails, claim });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.small.drain(), this.large.drain()]);
  }

  private async write(requests: readonly AcceptanceRequest[]): Promise<readonly ItemResult<Acceptance>[]> {
    if (!this.store.joinsTransaction)
      await this.store.put(requests.flatMap(({ emails }) => emails).flatMap(contentsOf));
    const { results, emails, queued, usages } = await this.database.run(async (transaction) => {
      const settled = await this.claims.settle(requests, transaction);
      const accepted = requests.flatMap((request, index) => (isAccepted(settled[index]) ? request.emails : []));
      const recipients = accepted.flatMap(queuedRecipients);
      const counted = accepted.length === 0 ? undefined : await this.writeEmails(accepted, recipients, transaction);
      return { results: settled, emails: accepted, queued: recipients, usages: counted };
    });
    if (usages !== undefined) this.quotas.remember(usages);
    for (const email of emails) if (email.email.scheduledAt === null) this.recent.add(email);
    this.queue.wake(queued);
    return results;
  }

  private async writeEmails(
    emails: readonly AcceptedEmail[],
    queued: readonly QueuedRecipient[],
    transaction: DatabaseTransaction,
  ): Promise<ReadonlyMap<string, TeamUsage>> {
    const [, , , usages] = await Promise.all([
      transaction.execute(acceptanceStatement(emails)),
      this.store.joinsTransaction ? this.store.put(emails.flatMap(contentsOf), transaction) : undefined,
      queued.length > 0 ? this.queue.enqueue(queued, transaction) : undefined,
      this.quotas.count(messagesOf(emails), transaction),
    ]);
    return usages;
  }
}

function isAccepted(result: ItemResult<Acceptance> | undefined): boolean {
  return result !== undefined && 'value' in result && result.value.kind === 'accepted';
}

function messagesOf(emails: readonly AcceptedEmail[]): CountedMessages[] {
  return emails.map(({ email, recipients }) => ({ teamId: email.teamId, messages: recipients.length }));
}

function contentsOf({ email, body, attachmentContents }: AcceptedEmail): StoredMessage[] {
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
