import { IdempotencyClaim } from '#idempotency';
import { Principal } from '#identity';
import { GroupCommit, ItemResult, LastStatements, Transaction } from '#kernel';
import { CountedMessages, CountedUsage, Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { isPersonal } from '../domain/email.js';
import { AcceptanceObserver, AcceptedEmails, OutboundQueue, QueuedRecipient } from './ports/outbound-queue.port.js';
import { maxPipelinedPutBytes, MessageStore, StoredMessage } from './ports/message-store.port.js';
import { RecentEmails } from './outgoing-emails.js';
import { contentsOf } from './stored-content.js';

/** Emails that are all accepted or all refused. */
export interface AcceptanceRequest {
  readonly emails: readonly AcceptedEmail[];
  readonly claim: IdempotencyClaim | undefined;
  /**
   * True if the quota is used up as far as this process knows. The transaction will then refuse the request, unless it is a
   * repetition.
   */
  readonly isLikelyRefused: boolean;
}

/** `repeated`: a request with the same key and body was accepted before, with this response. */
export type Acceptance = { readonly kind: 'accepted' } | { readonly kind: 'repeated'; readonly response: unknown };

/** A larger request gets a separate transaction, so that small mail never waits for it. */
const maxSharedBytes = 1024 * 1024;
/** So does a request with more emails: a large batch fills a transaction by itself. */
const maxSharedEmails = 25;
/** How long a team is written separately after one of its emails made a shared transaction fail. */
const suspectForMs = 60_000;
const maxSuspects = 1_000;
/** Maximum wait. After it the client is asked to try again, because many clients give up after ten seconds. */
const maxWaitMs = 5_000;

type Write = (requests: readonly AcceptanceRequest[]) => Promise<readonly ItemResult<Acceptance>[]>;

/** Decides which requests share a transaction. */
export class AcceptanceGroups {
  private readonly small: GroupCommit<AcceptanceRequest, Acceptance>;
  private readonly large: GroupCommit<AcceptanceRequest, Acceptance>;
  /**
   * Writes one request at a time, of all suspected teams together, so that teams which make transactions fail wait only
   * for each other.
   */
  private readonly suspicious: GroupCommit<AcceptanceRequest, Acceptance>;
  private readonly suspects = new Map<string, number>();

  constructor(write: Write) {
    this.small = new GroupCommit(write, {
      maxBatch: 256,
      concurrency: 2,
      gatherMs: 2,
      isPrompt: true,
      patienceMs: maxWaitMs,
      ownerOf: teamOf,
      onCulprit: (request) => this.suspect(teamOf(request)),
    });
    this.large = new GroupCommit(write, { maxBatch: 1, concurrency: 4, gatherMs: 0, patienceMs: maxWaitMs });
    this.suspicious = new GroupCommit(write, { maxBatch: 1, concurrency: 1, gatherMs: 0, patienceMs: maxWaitMs });
  }

  submit(request: AcceptanceRequest): Promise<Acceptance> {
    // A request that will probably be refused makes its transaction fail, so it does not share one.
    if (request.isLikelyRefused || isLarge(request)) return this.large.submit(request);
    return (this.isSuspect(teamOf(request)) ? this.suspicious : this.small).submit(request);
  }

  async drain(): Promise<void> {
    await Promise.all([this.small.drain(), this.suspicious.drain(), this.large.drain()]);
  }

  private suspect(teamId: string): void {
    if (this.suspects.size >= maxSuspects) this.suspects.delete(this.suspects.keys().next().value as string);
    this.suspects.set(teamId, performance.now() + suspectForMs);
  }

  private isSuspect(teamId: string): boolean {
    const until = this.suspects.get(teamId);
    if (until === undefined) return false;
    if (until < performance.now()) this.suspects.delete(teamId);
    return until >= performance.now();
  }
}

function isLarge({ emails }: AcceptanceRequest): boolean {
  return emails.length > maxSharedEmails || emails.reduce((sum, { email }) => sum + email.size, 0) > maxSharedBytes;
}

function teamOf({ emails: [first] }: AcceptanceRequest): string {
  return first?.email.teamId ?? '';
}

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
      mayRefuse: this.quotas.mayRefuse || emails.some(({ keyLimit }) => keyLimit !== undefined),
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

/** The emails with the limit of the key that sends them. */
export function withKeyLimit(
  { actor, dailyLimit }: Principal,
  emails: readonly AcceptedEmail[],
): readonly AcceptedEmail[] {
  if (dailyLimit === null || actor.kind !== 'api_key') return emails;
  return emails.map((email) => ({ ...email, keyLimit: { apiKeyId: actor.id, daily: dailyLimit } }));
}

/** Counts each recipient as one message. */
export function countedMessages(emails: readonly AcceptedEmail[]): CountedMessages[] {
  return emails.map(({ email, recipients, keyLimit }) => ({
    teamId: email.teamId,
    messages: recipients.length,
    ...(keyLimit === undefined ? {} : { keyLimit }),
  }));
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
