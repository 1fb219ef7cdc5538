import { Injectable } from '@nestjs/common';
import { Clock, isDatabaseAway } from '#kernel';
import { AttemptDetail, DeliveryOutcome } from '../domain/delivery-outcome.js';
import { NotAttemptedError } from '../domain/not-attempted-error.js';
import { ClaimedRecipient, FinishedAttempt } from '../domain/finished-attempt.js';
import { UndeliverableError } from '../domain/undeliverable-error.js';
import { nextAttemptAt } from '../domain/retry-schedule.js';
import { Recipients } from './by-email.js';
import { ContentLoan } from './content-loan.js';
import { EmailContents } from './email-contents.js';
import { LaneHealth } from './lane-health.js';
import { LaneRun } from './lane-run.js';
import { LateContent } from './late-content.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { MessageRenderer } from './ports/message-renderer.port.js';
import { OutcomeLog } from './ports/outcome-log.port.js';
import { ReturnPaths } from './ports/return-paths.port.js';
import { worstOf } from './worst-of.js';

/** The recipients and the content of one SMTP transaction. */
interface Message {
  readonly recipients: Recipients;
  readonly content: LateContent;
}

/** Makes one attempt for an email and its recipients in one lane: hands the message over and records the outcomes. */
@Injectable()
export class DeliverEmail {
  constructor(
    private readonly renderer: MessageRenderer,
    private readonly contents: EmailContents,
    private readonly returnPaths: ReturnPaths,
    private readonly transport: DeliveryTransport,
    private readonly outcomes: OutcomeLog,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the outcomes of the attempt are durable. */
  async execute(recipients: Recipients, run: LaneRun): Promise<void> {
    const [first] = recipients;
    const mayBePersonal = await this.mayBePersonal(recipients);
    const shared = this.contents.of(run.lane, first);
    const messages: Message[] =
      this.transport.sharesTransactions && !mayBePersonal
        ? [{ recipients, content: shared }]
        : recipients.map((recipient) => ({
            recipients: [recipient],
            content: mayBePersonal ? this.contents.of(run.lane, recipient) : shared,
          }));
    // The caller goes on only after all messages have ended, even if one of them fails.
    const ends = await Promise.allSettled(messages.map((message) => this.deliver(message, run)));
    const failures = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason as unknown);
    if (failures.length > 0) throw worstOf(failures);
  }

  /**
   * Whether each recipient may get a copy of its own: because its domain tracks, or because each has its own
   * links. Where the domain cannot be read, each attempt reports that itself.
   */
  private async mayBePersonal(recipients: Recipients): Promise<boolean> {
    const [{ domainId, isPersonal }] = recipients;
    const ofDomain = await this.renderer.envelope(domainId).then(
      ({ mayBePersonal }) => mayBePersonal,
      () => false,
    );
    return ofDomain || isPersonal === true;
  }

  private async deliver(message: Message, run: LaneRun): Promise<void> {
    const { recipients } = message;
    const { health } = run;
    const attempt = await this.attempt(message, run);
    if (attempt === undefined) return this.withdraw(recipients, health);
    const { startedAt, outcomes } = attempt;
    const [outcome = noOutcome] = outcomes;
    if (outcome.kind !== 'deferred' || outcome.isSiteTrouble !== true) run.window.open();
    const isProbe = recipients.some((recipient) => recipient.isProbe === true);
    if (!(await health.learnFrom(outcome, isProbe))) return this.withdraw(recipients, health);
    await Promise.all(
      recipients.map((recipient, index) =>
        this.outcomes.record(this.finished(recipient, outcomes[index] ?? noOutcome, startedAt)),
      ),
    );
  }

  /**
   * If the program stops, all recipients return to the queue untried. If the site is down, recipients that have time
   * left return as well; for the others the site's trouble is the final outcome.
   */
  private async withdraw(recipients: readonly ClaimedRecipient[], health: LaneHealth): Promise<void> {
    const { trouble } = health;
    if (trouble === undefined) return health.returnUntried(recipients);
    const startedAt = this.clock.now();
    const ends = recipients.map((recipient) => this.finished(recipient, trouble, startedAt));
    const waiting = ends.filter(({ retryAt }) => retryAt !== undefined).map(({ recipient }) => recipient);
    if (waiting.length > 0) await health.returnUntried(waiting);
    await Promise.all(ends.filter(({ retryAt }) => retryAt === undefined).map((end) => this.outcomes.record(end)));
  }

  /** Undefined where the site was found to be down, or the program stopped, before this message had its turn. */
  private async attempt(
    message: Message,
    run: LaneRun,
  ): Promise<{ readonly startedAt: Date; readonly outcomes: readonly DeliveryOutcome[] } | undefined> {
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
        isBulk: first.isBulk === true,
        lane,
        mailFrom: first.mailFrom ?? this.returnPaths.of(first, returnPathHost),
        recipients: recipients.map(({ address }) => address),
        size: first.size,
        tls,
        content: (onGranted) => {
          window.open();
          return loan.take(onGranted);
        },
      });
    } finally {
      loan.end();
    }
  }

  private finished(recipient: ClaimedRecipient, outcome: DeliveryOutcome, startedAt: Date): FinishedAttempt {
    if (outcome.kind !== 'deferred') return { recipient, outcome, startedAt, retryAt: undefined };
    const now = this.clock.now();
    const retryAt = nextAttemptAt(recipient.attempt, recipient.queuedAt, now, Math.random(), outcome.retryAfterSeconds);
    return { recipient, outcome, startedAt, retryAt };
  }
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
  return deferral(error instanceof Error ? error.message : String(error), startedAt, now);
}

function deferral(reason: string, startedAt: Date, now: Date): DeliveryOutcome {
  const durationMs = now.getTime() - startedAt.getTime();
  return { kind: 'deferred', reason: `Internal: ${reason}`, outcomeUnknown: false, detail: { durationMs } };
}
