import { Injectable } from '@nestjs/common';
import { Clock, isDatabaseAway, isDatabaseTrouble } from '#kernel';
import {
  AttemptDetail,
  ClaimedRecipient,
  DeliveryOutcome,
  FinishedAttempt,
  NotAttemptedError,
  UndeliverableError,
} from '../domain/attempt.js';
import { nextAttemptAt } from '../domain/retry-schedule.js';
import { ContentLoan, ContentsInDelivery, LateContent } from './contents-in-delivery.js';
import { LaneHealth, LaneRun } from './lane-run.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { MessageRenderer } from './ports/message-renderer.port.js';
import { ReturnPaths } from './ports/return-paths.port.js';
import { SettleAttempts } from './settle-attempts.js';

/** The recipients of one email that a worker has claimed, at least one. */
export type Recipients = readonly [ClaimedRecipient, ...ClaimedRecipient[]];

/** The recipients and the content of one SMTP transaction. */
interface Message {
  readonly recipients: Recipients;
  readonly content: LateContent;
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
  async deliver(recipients: Recipients, run: LaneRun): Promise<void> {
    const messages = recipients.length === 1 ? [this.message(recipients, run)] : await this.group(recipients, run);
    const [only] = messages;
    if (messages.length === 1 && only !== undefined) return this.deliverMessage(only, run);
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
    return this.renderer.envelope(domainId).then(
      ({ mayBePersonal }) => mayBePersonal,
      () => false,
    );
  }

  private async deliverMessage(message: Message, run: LaneRun): Promise<void> {
    const { recipients } = message;
    const attempt = await this.attempt(message, run).finally(() => message.content.forget());
    if (attempt === undefined) return this.giveBack(recipients, run.health);
    const { startedAt, outcomes } = attempt;
    const [outcome = noOutcome] = outcomes;
    if (outcome.kind !== 'deferred' || outcome.isSiteTrouble !== true) run.window.open();
    const isProbe = recipients.some((recipient) => recipient.isProbe === true);
    if (!(await run.health.learnFrom(outcome, isProbe))) return this.giveBack(recipients, run.health);
    await Promise.all(
      recipients.map((recipient, index) =>
        this.attempts.settle(this.finished(recipient, outcomes[index] ?? noOutcome, startedAt)),
      ),
    );
  }

  /** Undefined if the site was found to be down, or the program stopped, before this message had its turn. */
  private async attempt(message: Message, run: LaneRun): Promise<Attempt | undefined> {
    const { slots, health } = run;
    await slots.take(message.recipients[0].teamId);
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
    }
  }

  private async handOver(
    { recipients, content }: Message,
    { lane, window }: LaneRun,
  ): Promise<readonly DeliveryOutcome[]> {
    const [first] = recipients;
    const { returnPathHost, tls } = await this.renderer.envelope(first.domainId);
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
          window.open();
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
