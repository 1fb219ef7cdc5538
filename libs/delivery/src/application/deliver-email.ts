import { Injectable } from '@nestjs/common';
import { Clock, isDatabaseAway, Slots } from '#kernel';
import { OutgoingEmail } from '#emails';
import { AttemptDetail, DeliveryOutcome } from '../domain/delivery-outcome.js';
import { NotAttemptedError } from '../domain/not-attempted-error.js';
import { ClaimedRecipient, FinishedAttempt } from '../domain/finished-attempt.js';
import { UndeliverableError } from '../domain/undeliverable-error.js';
import { nextAttemptAt } from '../domain/retry-schedule.js';
import { LaneHealth } from './lane-health.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { MessageRenderer, RenderedMessage } from './ports/message-renderer.port.js';
import { OutcomeLog } from './ports/outcome-log.port.js';
import { ReturnPaths } from './ports/return-paths.port.js';

/** Copies of a larger email are made one after the other: a lane's connections together would hold too many of them. */
const largestSideBySide = 1024 * 1024;

/** One attempt for one email and those of its recipients that share a lane: render, hand over, write down the end. */
@Injectable()
export class DeliverEmail {
  constructor(
    private readonly renderer: MessageRenderer,
    private readonly returnPaths: ReturnPaths,
    private readonly transport: DeliveryTransport,
    private readonly outcomes: OutcomeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the ends of the attempt are durable. `slots` bounds how many hand-overs run at once. Without an email
   * its content could not be read: the recipients wait like with any trouble of our own.
   */
  async execute(
    email: OutgoingEmail | undefined,
    recipients: readonly ClaimedRecipient[],
    slots: Slots,
    health: LaneHealth,
  ): Promise<void> {
    const rendered = this.render(email);
    const shared = this.transport.sharesTransactions && !(await isPersonal(rendered));
    const groups = shared ? [recipients] : recipients.map((recipient) => [recipient]);
    const isLarge = groups.length > 1 && recipients.some(({ size }) => size > largestSideBySide);
    const deliver = (group: readonly ClaimedRecipient[]): Promise<void> => this.deliver(rendered, group, slots, health);
    // All must have ended before the caller may go on, whatever becomes of one of them.
    const ends =
      isLarge && (await isPersonal(rendered))
        ? await settledInTurn(groups, deliver)
        : await Promise.allSettled(groups.map(deliver));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async render(email: OutgoingEmail | undefined): Promise<RenderedMessage> {
    if (email === undefined) throw new Error('the content of the email cannot be read');
    return this.renderer.render(email);
  }

  private async deliver(
    rendered: Promise<RenderedMessage>,
    recipients: readonly ClaimedRecipient[],
    slots: Slots,
    health: LaneHealth,
  ): Promise<void> {
    const attempt = await this.attempt(rendered, recipients, slots, health);
    if (attempt === undefined) return this.withdraw(recipients, health);
    const { startedAt, outcomes } = attempt;
    const isProbe = recipients.some((recipient) => recipient.isProbe === true);
    if (!(await health.learnFrom(outcomes[0] ?? noOutcome, isProbe))) return this.withdraw(recipients, health);
    await Promise.all(
      recipients.map((recipient, index) =>
        this.outcomes.record(this.finished(recipient, outcomes[index] ?? noOutcome, startedAt)),
      ),
    );
  }

  /** The program stops: all wait on untried. The site is down: so does who has time; the others end with its trouble. */
  private async withdraw(recipients: readonly ClaimedRecipient[], health: LaneHealth): Promise<void> {
    const { trouble } = health;
    if (trouble === undefined) return health.giveBack(recipients);
    const startedAt = this.clock.now();
    const ends = recipients.map((recipient) => this.finished(recipient, trouble, startedAt));
    const patient = ends.filter(({ retryAt }) => retryAt !== undefined).map(({ recipient }) => recipient);
    if (patient.length > 0) await health.giveBack(patient);
    await Promise.all(ends.filter(({ retryAt }) => retryAt === undefined).map((end) => this.outcomes.record(end)));
  }

  /** Undefined where the site turned out to be down, or the program stops, before it was this message's turn. */
  private async attempt(
    rendered: Promise<RenderedMessage>,
    recipients: readonly ClaimedRecipient[],
    slots: Slots,
    health: LaneHealth,
  ): Promise<{ readonly startedAt: Date; readonly outcomes: readonly DeliveryOutcome[] } | undefined> {
    let startedAt = this.clock.now();
    try {
      const { returnPathHost, content, tls } = await rendered;
      const [first] = recipients as readonly [ClaimedRecipient];
      await slots.take();
      startedAt = this.clock.now();
      try {
        if (health.trouble !== undefined) return undefined;
        const outcomes = await this.transport.deliver({
          emailId: first.emailId,
          mailFrom: this.returnPaths.of(first, returnPathHost),
          recipients: recipients.map(({ address }) => address),
          content: typeof content === 'function' ? await content(first.recipientNo) : content,
          tls,
        });
        return { startedAt, outcomes };
      } finally {
        slots.giveBack();
      }
    } catch (error) {
      // Without a database there is no content to send, and nothing to be said of the message.
      if (error instanceof NotAttemptedError || isDatabaseAway(error)) return undefined;
      // Nothing was sent. Trouble of our own is temporary: the message waits, it is not lost and not bounced.
      const trouble = outcomeOfTrouble(error, startedAt, this.clock.now());
      return { startedAt, outcomes: recipients.map(() => trouble) };
    }
  }

  private finished(recipient: ClaimedRecipient, outcome: DeliveryOutcome, startedAt: Date): FinishedAttempt {
    if (outcome.kind !== 'deferred') return { recipient, outcome, startedAt, retryAt: undefined };
    const now = this.clock.now();
    const retryAt = nextAttemptAt(recipient.attempt, recipient.queuedAt, now, Math.random(), outcome.retryAfterSeconds);
    return { recipient, outcome, startedAt, retryAt };
  }
}

async function settledInTurn<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<PromiseSettledResult<void>[]> {
  const ends: PromiseSettledResult<void>[] = [];
  for (const item of items) ends.push(...(await Promise.allSettled([work(item)])));
  return ends;
}

/** A copy of its own for each recipient. Where there is no content at all, each finds out for itself. */
async function isPersonal(rendered: Promise<RenderedMessage>): Promise<boolean> {
  return rendered.then(
    ({ content }) => typeof content === 'function',
    () => false,
  );
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
