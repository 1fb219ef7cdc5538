import { Injectable } from '@nestjs/common';
import { OutgoingEmails } from '#emails';
import { Clock, isDatabaseAway, isDatabaseTrouble, isPromise, Transaction } from '#kernel';
import type { MaybePromise } from '#kernel';
import { SuppressionOrigin, Suppressions } from '#suppressions';
import {
  AttemptDetail,
  ClaimedRecipient,
  DeliveryOutcome,
  FinishedAttempt,
  NotAttemptedError,
  suppresses,
  UndeliverableError,
} from '../domain/attempt.js';
import { LaneWindow, SlotsOfOneKind } from './lane-window.js';
import { DeliveryQueue, OutcomeLog } from './ports/delivery-queue.port.js';
import { changeAfter, complaintAfter, nextAttemptAt } from '../domain/recipient-progress.js';
import { WorkerIdentity } from './worker-identity.js';
import { ContentLoan, ContentsInDelivery, LateContent } from './contents-in-delivery.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { MessageRenderer, ReturnPaths } from './ports/message-renderer.port.js';

/*
 * One attempt to deliver an email, to its recorded end: `DeliverEmail` makes the attempt, `LaneHealth` learns from it whether the
 * site is up, and `SettleAttempts` records what became of each recipient.
 */

/**
 * The end of an attempt, and what follows from it. One transaction settles a batch of attempts:
 *
 * 1. the queue: a recipient with a final outcome leaves it, the others wait for their next attempt;
 * 2. the email: the recipient's state changes, with an event, of which database triggers make the webhook messages;
 * 3. the consequences: a bad address is suppressed, and so is a recipient that complained.
 */
@Injectable()
export class SettleAttempts {
  /** Resolves when everything that follows from the attempt is committed. */
  readonly settle: (attempt: FinishedAttempt) => Promise<void>;

  constructor(
    log: OutcomeLog,
    private readonly queue: DeliveryQueue,
    private readonly emails: OutgoingEmails,
    private readonly suppressions: Suppressions,
    private readonly worker: WorkerIdentity,
  ) {
    this.settle = log.inBatches((attempts, now, transaction) => this.settleBatch(attempts, now, transaction));
  }

  /**
   * Returns the attempts whose leases this worker still held; the others belong to another worker. Attempts that were
   * settled before have no lease any more, so a repetition changes nothing.
   */
  private async settleBatch(
    attempts: readonly FinishedAttempt[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly FinishedAttempt[]> {
    const settled = await this.queue.settle(this.worker.id, attempts, transaction);
    await this.emails.record(
      settled.map((attempt) => changeAfter(attempt, now)),
      transaction,
    );
    await this.drawConsequences(settled, now, transaction);
    return settled;
  }

  /** Nearly always there are none. */
  private async drawConsequences(
    settled: readonly FinishedAttempt[],
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    const complaints = settled.filter(({ outcome }) => outcome.kind === 'delivered' && outcome.complained === true);
    const bounces = settled.filter(({ outcome }) => suppresses(outcome));
    if (complaints.length > 0) {
      await this.emails.record(
        complaints.map((attempt) => complaintAfter(attempt, now)),
        transaction,
      );
      await this.suppress(complaints, 'complaint', transaction);
    }
    if (bounces.length > 0) await this.suppress(bounces, 'bounce', transaction);
  }

  private async suppress(
    attempts: readonly FinishedAttempt[],
    origin: SuppressionOrigin,
    transaction: Transaction,
  ): Promise<void> {
    const ids = attempts.map(({ recipient }) => recipient.emailId);
    const teams = await this.emails.teamsOf(ids, transaction);
    const additions = attempts.flatMap(({ recipient: { emailId, address } }) => {
      const teamId = teams.get(emailId);
      return teamId === undefined ? [] : [{ teamId, email: address, origin, sourceId: emailId }];
    });
    if (additions.length > 0) await this.suppressions.add(additions, transaction);
  }
}

/** The recipients of one email that a worker has claimed, at least one. */
export type Recipients = readonly [ClaimedRecipient, ...ClaimedRecipient[]];

/** The recipients and the content of one SMTP transaction. */
interface Message {
  readonly recipients: Recipients;
  readonly content: LateContent;
}

/** What the deliveries of one drain share: those of the transactional or of the bulk mail of a lane. */
export interface LaneRun {
  readonly lane: string;
  /** Limits the messages of the lane that are handed over at the same time. */
  readonly slots: SlotsOfOneKind;
  readonly window: LaneWindow;
  readonly health: LaneHealth;
}

/** What the transport reported for a message, one outcome per recipient. */
interface Attempt {
  readonly startedAt: Date;
  readonly outcomes: readonly DeliveryOutcome[];
}

/**
 * Makes one attempt for an email and its claimed recipients:
 *
 * 1. group: the recipients go in one message if they get the same content and the transport allows it, else one by one;
 * 2. take turns: each message waits for a slot of its lane;
 * 3. hand over: the transport gets the envelope, and asks for the content once the host is ready for it;
 * 4. settle: the outcomes are recorded, with the time of the next attempt if there is one.
 *
 * A message ends in one of three ways:
 *
 * - It was attempted. Each recipient is settled with its outcome. An error of our own, such as content that cannot be read,
 *   is an outcome too: a deferral, or a failure if the email can never be sent.
 * - It was not attempted, because the program stops, the database is away or the site was found to be down. The recipients
 *   return to the queue as if they had never been claimed.
 * - The site was found to be down and the time of a recipient is over. That trouble is its final outcome.
 */
@Injectable()
export class DeliverEmail {
  constructor(
    private readonly renderer: MessageRenderer,
    private readonly contents: ContentsInDelivery,
    private readonly returnPaths: ReturnPaths,
    private readonly transport: DeliveryTransport,
    private readonly attempts: SettleAttempts,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the outcomes of the attempt are durable. */
  deliver(recipients: Recipients, run: LaneRun): Promise<void> {
    return recipients.length === 1
      ? this.deliverMessage(this.message(recipients, run), run)
      : this.deliverAll(recipients, run);
  }

  private async deliverAll(recipients: Recipients, run: LaneRun): Promise<void> {
    const messages = await this.group(recipients, run);
    // The caller goes on only after all messages have ended, even if one of them fails.
    const ends = await Promise.allSettled(messages.map((message) => this.deliverMessage(message, run)));
    const failures = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason as unknown);
    if (failures.length > 0) throw worstOf(failures);
  }

  private async group(recipients: Recipients, run: LaneRun): Promise<Message[]> {
    if (await this.mayBePersonal(recipients)) return recipients.map((recipient) => this.message([recipient], run));
    const all = this.message(recipients, run);
    if (this.transport.sharesTransactions) return [all];
    return recipients.map((recipient) => ({ recipients: [recipient], content: all.content }));
  }

  private message(recipients: Recipients, { lane, window }: LaneRun): Message {
    return { recipients, content: this.contents.of(lane, recipients[0], window.readsAhead) };
  }

  /**
   * Whether each recipient may get a copy of its own, because its domain tracks or because each has its own links. If the
   * domain cannot be read, each attempt reports that itself.
   */
  private async mayBePersonal([{ domainId, isPersonal }]: Recipients): Promise<boolean> {
    if (isPersonal === true) return true;
    try {
      return (await this.renderer.envelope(domainId)).mayBePersonal;
    } catch {
      return false;
    }
  }

  private async deliverMessage(message: Message, run: LaneRun): Promise<void> {
    const { recipients } = message;
    const attempt = await this.attempt(message, run);
    if (attempt === undefined) return this.giveBack(recipients, run.health);
    const { startedAt, outcomes } = attempt;
    const [outcome = noOutcome] = outcomes;
    if (outcome.kind !== 'deferred' || outcome.isSiteTrouble !== true) run.window.open();
    const isProbe = recipients.some((recipient) => recipient.isProbe === true);
    const learnt = run.health.learnFrom(outcome, isProbe);
    const counts = isPromise(learnt) ? await learnt : learnt;
    if (!counts) return this.giveBack(recipients, run.health);
    const settled = recipients.map((recipient, index) =>
      this.attempts.settle(this.finished(recipient, outcomes[index] ?? noOutcome, startedAt)),
    );
    await (settled.length === 1 ? settled[0] : Promise.all(settled));
  }

  /** Undefined if the site was found to be down, or the program stopped, before this message had its turn. */
  private async attempt(message: Message, run: LaneRun): Promise<Attempt | undefined> {
    const { slots, health } = run;
    const turn = slots.take(message.recipients[0].teamId);
    if (turn !== undefined) await turn;
    const startedAt = this.clock.now();
    try {
      if (health.trouble !== undefined) return undefined;
      return { startedAt, outcomes: await this.handOver(message, run) };
    } catch (error) {
      // Without a database there is no content to send, so this is not an outcome of the message.
      if (error instanceof NotAttemptedError || isDatabaseAway(error)) return undefined;
      // Nothing was sent. An internal error is temporary: the message waits, it is neither lost nor bounced.
      const trouble = outcomeOfTrouble(error, startedAt, this.clock.now());
      return { startedAt, outcomes: message.recipients.map(() => trouble) };
    } finally {
      slots.release();
      message.content.forget();
    }
  }

  private async handOver(
    { recipients, content }: Message,
    { lane, window }: LaneRun,
  ): Promise<readonly DeliveryOutcome[]> {
    const [first] = recipients;
    const envelope = this.renderer.envelope(first.domainId);
    const { returnPathHost, tls } = isPromise(envelope) ? await envelope : envelope;
    const loan = new ContentLoan((onGranted) => content.use(first.recipientNo, onGranted));
    try {
      return await this.transport.deliver({
        emailId: first.emailId,
        teamId: first.teamId,
        domainId: first.domainId,
        isBulk: first.isBulk === true,
        lane,
        mailFrom: first.mailFrom ?? this.returnPaths.of(first, returnPathHost),
        recipients: recipients.map(({ address }) => address),
        size: first.size,
        tls,
        tags: () => this.contents.tagsOf(first.emailId),
        content: (onGranted) => {
          window.contentAsked();
          return loan.take(onGranted);
        },
      });
    } finally {
      loan.end();
    }
  }

  /**
   * Returns recipients to the queue untried. If the site is down, those whose time is over are settled with its
   * trouble.
   */
  private async giveBack(recipients: readonly ClaimedRecipient[], health: LaneHealth): Promise<void> {
    const { trouble } = health;
    if (trouble === undefined) return health.returnUntried(recipients);
    const startedAt = this.clock.now();
    const ends = recipients.map((recipient) => this.finished(recipient, trouble, startedAt));
    const waiting = ends.filter(({ retryAt }) => retryAt !== undefined).map(({ recipient }) => recipient);
    if (waiting.length > 0) await health.returnUntried(waiting);
    await Promise.all(ends.filter(({ retryAt }) => retryAt === undefined).map((end) => this.attempts.settle(end)));
  }

  private finished(recipient: ClaimedRecipient, outcome: DeliveryOutcome, startedAt: Date): FinishedAttempt {
    if (outcome.kind !== 'deferred') return { recipient, outcome, startedAt, retryAt: undefined };
    const now = this.clock.now();
    const retryAt = nextAttemptAt(recipient.attempt, recipient.queuedAt, now, Math.random(), outcome.retryAfterSeconds);
    return { recipient, outcome, startedAt, retryAt };
  }
}

/**
 * Of several errors, the one after which least is known about the mail. After a database error, a recipient without a
 * recorded outcome was never tried; after any other error it may have been delivered.
 */
export function worstOf(errors: readonly unknown[]): unknown {
  return errors.find((error) => !isDatabaseTrouble(error)) ?? errors[0];
}

const noDetail: AttemptDetail = { durationMs: 0 };
const noOutcome: DeliveryOutcome = {
  kind: 'deferred',
  reason: 'The transport reported no outcome for this recipient',
  outcomeUnknown: true,
  detail: noDetail,
};

function outcomeOfTrouble(error: unknown, startedAt: Date, now: Date): DeliveryOutcome {
  if (error instanceof UndeliverableError) {
    return { kind: 'bounced', reason: error.message, failure: error.failure, detail: noDetail };
  }
  const reason = `Internal: ${error instanceof Error ? error.message : String(error)}`;
  const durationMs = now.getTime() - startedAt.getTime();
  return { kind: 'deferred', reason, outcomeUnknown: false, detail: { durationMs } };
}

/**
 * Whether the site behind a lane can be reached, as one drain of the lane finds out.
 *
 * The first attempt that finds the site down counts, and pauses the lane for all workers. Recipients that were under
 * way at the same time, or claimed later, return to the queue untried. After the pause one recipient is the probe, so
 * that a site that is down costs one attempt per pause instead of one per waiting message.
 */
export class LaneHealth {
  /** Probes under way. Until they end nothing else can be claimed, and to ask for more reads all that waits. */
  probes = 0;
  private found: DeliveryOutcome | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lane: string,
    private readonly workerId: string,
  ) {}

  /** The outcome of the attempt that found the site down. */
  get trouble(): DeliveryOutcome | undefined {
    return this.found;
  }

  /** Whether the attempt counts. */
  learnFrom(outcome: DeliveryOutcome, isProbe: boolean): MaybePromise<boolean> {
    // With a pool the trouble may be of its address alone, and the lane has mail of other teams as well.
    if (outcome.kind === 'deferred' && outcome.isSiteTrouble === true && outcome.detail.pool === undefined) {
      if (this.found !== undefined) return false;
      this.found = outcome;
      // If the pause cannot be written, the outcome must still be recorded. The next attempt will find the site down
      // too.
      return this.queue.pause(this.lane, outcome.reason).then(yes, yes);
    }
    if (isProbe && this.found === undefined && provesSiteUp(outcome))
      return this.queue.resume(this.lane).then(yes, yes);
    return true;
  }

  returnUntried(recipients: readonly ClaimedRecipient[]): Promise<void> {
    return this.queue.returnUntried(this.workerId, recipients);
  }
}

const yes = (): boolean => true;

/**
 * An internal error says nothing about the site. A host that greets us and breaks off later counts as up: while the
 * lane counts as down, its mail would be tried one message at a time.
 */
function provesSiteUp(outcome: DeliveryOutcome): boolean {
  if (outcome.kind === 'bounced' && outcome.failure !== undefined) return false;
  const { replyCode, address } = outcome.detail;
  return outcome.kind !== 'deferred' || replyCode !== undefined || address !== undefined;
}
