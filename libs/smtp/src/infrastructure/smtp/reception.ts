import { Attached, BudgetShare, FairBudget, FairBudgetOptions } from '#kernel';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { GatheredBytes } from '../../domain/arriving-content.js';
import { SmtpRefusal } from './smtp-refusal.js';

export interface ReceptionLimits extends PaceLimits {
  /** Memory that each message gets at DATA, in bytes. */
  readonly smallBytes: number;
  /** Memory for the first part of all messages. */
  readonly smallMemory: FairBudgetOptions;
  /** Additional memory of a message that turns out to be larger, in bytes. */
  readonly largeBytes: number;
  /** Memory for larger messages. It is separate, so that no small message waits for a large one. */
  readonly largeMemory: FairBudgetOptions;
  /** Maximum time that a message waits for its memory, in ms. */
  readonly waitMs: number;
  /** The pace required while other messages wait for memory. */
  readonly scarce: PaceLimits;
}

/** Interval between two checks of a message within its pace, in ms: others may have begun to wait. */
const checkMs = 5_000;

/** Fraction of the memory in use from which the stricter pace applies. */
const scarceFrom = 0.75;

/**
 * The messages that are being received. Each has its share of the memory before its first byte arrives, and a clock.
 */
export class Receptions {
  private readonly admitted = new Attached<SMTPServerSession, Share>();
  private readonly underWay = new Attached<SMTPServerSession, Reception>();
  private readonly small: FairBudget;
  private readonly large: FairBudget;

  constructor(private readonly limits: ReceptionLimits) {
    this.small = new FairBudget(limits.smallMemory);
    this.large = new FairBudget(limits.largeMemory);
  }

  get usedBytes(): number {
    return this.small.used + this.large.used;
  }

  /** Rejects with a temporary refusal if no memory is free for the owner in time. */
  async admit(session: SMTPServerSession, owner: string): Promise<void> {
    const share = new Share(owner, this.limits.waitMs);
    await share.take(this.small, this.limits.smallBytes);
    this.admitted.set(session, share);
  }

  /** Releases the memory of content that will not arrive. */
  abandon(session: SMTPServerSession): void {
    this.admitted.get(session)?.release();
    this.admitted.delete(session);
  }

  begin(session: SMTPServerSession, stream: SMTPServerDataStream): Reception {
    const share = this.admitted.get(session);
    if (share === undefined) throw new Error('content that was not admitted');
    this.admitted.delete(session);
    const reception = new Reception(stream, share, this.large, this.limits, () => this.isScarce);
    this.underWay.set(session, reception);
    return reception;
  }

  /** Stops the client's clock while we do not read the content. */
  hold(session: SMTPServerSession): void {
    this.underWay.get(session)?.hold();
  }

  resume(session: SMTPServerSession): void {
    this.underWay.get(session)?.resume();
  }

  /**
   * Whether a message waits for memory although most of the memory is in use, so not only because of its owner's limit.
   */
  private get isScarce(): boolean {
    const { limits, small, large } = this;
    return isScarce(small, limits.smallMemory) || isScarce(large, limits.largeMemory);
  }
}

function isScarce(budget: FairBudget, { total }: FairBudgetOptions): boolean {
  return budget.isContended && budget.used > total * scarceFrom;
}

/** The memory of one message. */
class Share {
  private readonly parts: BudgetShare[] = [];

  constructor(
    private readonly owner: string,
    private readonly waitMs: number,
  ) {}

  async take(budget: FairBudget, bytes: number): Promise<void> {
    const owners = [this.owner];
    const patience = { maxWaitMs: this.waitMs, refusal: tooMuchMail };
    this.parts.push(budget.takeAtOnce(owners, bytes) ?? (await budget.hold(owners, bytes, patience)));
  }

  release(): void {
    for (const part of this.parts.splice(0)) part.release();
  }
}

function tooMuchMail(): SmtpRefusal {
  return new SmtpRefusal(451, '4.3.1', 'Too much mail is being received, try again later');
}

/** One message that is being received. */
export class Reception {
  private readonly pace: ReceivingPace;
  private timer: NodeJS.Timeout;
  private isLarge = false;

  constructor(
    private readonly stream: SMTPServerDataStream,
    private readonly share: Share,
    private readonly large: FairBudget,
    private readonly limits: ReceptionLimits,
    private readonly isScarce: () => boolean,
  ) {
    stream.on('error', () => undefined);
    this.pace = new ReceivingPace(limits, performance.now());
    this.pace.waits(performance.now());
    this.timer = this.checkLater();
  }

  /** The content as it arrives. A caller that stops reading stops the client, and may continue with `readToTheEnd`. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const source = this.stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>;
    const gathered = new GatheredBytes();
    try {
      for (let chunk = await this.next(source); chunk !== undefined; chunk = await this.next(source)) {
        yield* gathered.add(chunk);
      }
      yield* gathered.rest();
    } finally {
      await source.return?.();
    }
  }

  /**
   * Reads and discards the rest, and ends the reception: a reply before the final dot would not be read, or be taken
   * for another reply. A client that sends more than `maxBytes` is disconnected: throws a refusal with the code 421.
   */
  async readToTheEnd(maxBytes: number): Promise<void> {
    // The rest is not kept.
    this.share.release();
    try {
      if (!this.stream.destroyed && !this.stream.readableEnded) await this.discard(maxBytes);
    } finally {
      clearTimeout(this.timer);
    }
  }

  hold(): void {
    this.pace.held(performance.now());
  }

  resume(): void {
    this.pace.resumed(performance.now());
  }

  private async discard(maxBytes: number): Promise<void> {
    const { stream, pace } = this;
    await new Promise<void>((resolve) => {
      pace.waits(performance.now());
      stream.on('data', (chunk: Buffer) => {
        pace.received(chunk.length, performance.now());
        pace.waits(performance.now());
        if (stream.byteLength > maxBytes) stream.destroy(new SmtpRefusal(421, '5.3.4', 'The message has no end'));
      });
      stream.once('close', resolve);
      stream.once('end', resolve);
      stream.resume();
    });
    if (stream.errored instanceof SmtpRefusal) throw stream.errored;
  }

  private async next(source: AsyncIterator<Uint8Array, undefined>): Promise<Uint8Array | undefined> {
    this.pace.waits(performance.now());
    const { value } = await source.next();
    this.pace.received(value?.length ?? 0, performance.now());
    if (value !== undefined && !this.isLarge && this.pace.receivedBytes > this.limits.smallBytes) {
      this.isLarge = true;
      await this.share.take(this.large, this.limits.largeBytes);
    }
    return value;
  }

  private checkLater(): NodeJS.Timeout {
    return setTimeout(() => this.check(), Math.max(0, Math.min(this.remainingMs(), checkMs)));
  }

  private check(): void {
    if (this.remainingMs() > 0) this.timer = this.checkLater();
    else this.stream.destroy(new SmtpRefusal(421, '4.4.2', 'The message takes too long'));
  }

  private remainingMs(): number {
    return this.pace.remainingMs(performance.now(), this.isScarce() ? this.limits.scarce : this.limits);
  }
}

export interface PaceLimits {
  /** Maximum time from DATA to the final dot, however steadily bytes arrive. */
  readonly maxMs: number;
  /** Total time that the client may keep us waiting before its rate counts. */
  readonly graceMs: number;
  /** Bytes that the client must send for each second of waiting beyond the grace. */
  readonly minBytesPerSecond: number;
}

/**
 * The clock of one message that is being received. It counts the time in which we wait for the client, not the time in
 * which the client waits for us (as `smtpd_min_data_rate` of Postfix).
 */
export class ReceivingPace {
  private bytes = 0;
  private waitedMs = 0;
  private isWaiting = false;
  private isHeld = false;
  private countedFrom: number | undefined;

  constructor(
    private readonly limits: PaceLimits,
    private readonly startedAt: number,
  ) {}

  get receivedBytes(): number {
    return this.bytes;
  }

  waits(nowMs: number): void {
    this.isWaiting = true;
    this.count(nowMs);
  }

  received(bytes: number, nowMs: number): void {
    this.isWaiting = false;
    this.count(nowMs);
    this.bytes += bytes;
  }

  /** To be called when we stop reading: from now on the client waits for us. */
  held(nowMs: number): void {
    this.isHeld = true;
    this.count(nowMs);
  }

  resumed(nowMs: number): void {
    this.isHeld = false;
    this.count(nowMs);
  }

  /** Time until the client is too slow if no more bytes arrive, in ms; 0 or less if it is too slow already. */
  remainingMs(nowMs: number, { maxMs, graceMs, minBytesPerSecond }: PaceLimits = this.limits): number {
    const waitedMs = this.waitedMs + (this.countedFrom === undefined ? 0 : nowMs - this.countedFrom);
    const mayWaitMs = graceMs + (this.bytes / minBytesPerSecond) * 1_000;
    return Math.min(this.startedAt + maxMs - nowMs, mayWaitMs - waitedMs);
  }

  private count(nowMs: number): void {
    if (this.countedFrom !== undefined) this.waitedMs += nowMs - this.countedFrom;
    this.countedFrom = this.isWaiting && !this.isHeld ? nowMs : undefined;
  }
}
