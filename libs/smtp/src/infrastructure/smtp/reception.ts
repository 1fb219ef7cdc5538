import { BudgetShare, FairBudget, FairBudgetOptions } from '#kernel';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { GatheredBytes } from '../../domain/gathered-bytes.js';
import { PaceLimits, ReceivingPace } from '../../domain/receiving-pace.js';
import { SmtpRefusal } from './smtp-refusal.js';

export interface ReceptionLimits extends PaceLimits {
  /** Memory that each message gets at DATA. */
  readonly smallBytes: number;
  /** For what each message gets at DATA. */
  readonly smallMemory: FairBudgetOptions;
  /** Memory that one gets on top of it when it turns out to be larger. */
  readonly largeBytes: number;
  /** For what larger messages get. Of its own, so that no small message waits for a large one. */
  readonly largeMemory: FairBudgetOptions;
  /** How long a message waits for its memory, in ms. */
  readonly waitMs: number;
  /** The pace while others wait for memory. */
  readonly scarce: PaceLimits;
}

/** How often a message that is within its pace is looked at, in ms: others may have begun to wait. */
const checkMs = 5_000;

/** The part of the memory from which on slow messages are a nuisance to the others. */
const scarceFrom = 0.75;

/** The messages on their way in: each has its share of the memory before its first byte comes, and its clock. */
export class Receptions {
  private readonly admitted = new WeakMap<SMTPServerSession, Share>();
  private readonly underWay = new WeakMap<SMTPServerSession, Reception>();
  private readonly small: FairBudget;
  private readonly large: FairBudget;

  constructor(private readonly limits: ReceptionLimits) {
    this.small = new FairBudget(limits.smallMemory);
    this.large = new FairBudget(limits.largeMemory);
  }

  get usedBytes(): number {
    return this.small.usedBytes + this.large.usedBytes;
  }

  /** Rejects with a temporary refusal where there is no memory for the owner in time. */
  async admit(session: SMTPServerSession, owner: string): Promise<void> {
    const share = new Share(owner, this.limits.waitMs);
    await share.take(this.small, this.limits.smallBytes);
    this.admitted.set(session, share);
  }

  /** The content never comes. */
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

  /** The content is not read for a while, for a reason of ours; that is not the client's time. */
  hold(session: SMTPServerSession): void {
    this.underWay.get(session)?.hold();
  }

  resume(session: SMTPServerSession): void {
    this.underWay.get(session)?.resume();
  }

  /** Somebody waits, and not only because the owner has its share. */
  private get isScarce(): boolean {
    const { limits, small, large } = this;
    return isScarce(small, limits.smallMemory) || isScarce(large, limits.largeMemory);
  }
}

function isScarce(budget: FairBudget, { totalBytes }: FairBudgetOptions): boolean {
  return budget.isContended && budget.usedBytes > totalBytes * scarceFrom;
}

/** Memory that one message holds. */
class Share {
  private readonly parts: BudgetShare[] = [];

  constructor(
    private readonly owner: string,
    private readonly waitMs: number,
  ) {}

  async take(budget: FairBudget, bytes: number): Promise<void> {
    const atOnce = budget.takeAtOnce([this.owner], bytes);
    if (atOnce === undefined) await this.waitFor(budget, bytes);
    else this.parts.push(atOnce);
  }

  private async waitFor(budget: FairBudget, bytes: number): Promise<void> {
    const giveUp = new AbortController();
    const timer = setTimeout(
      () => giveUp.abort(new SmtpRefusal(451, '4.3.1', 'Too much mail is being received, try again later')),
      this.waitMs,
    );
    try {
      this.parts.push(await budget.take([this.owner], bytes, giveUp.signal));
    } finally {
      clearTimeout(timer);
    }
  }

  release(): void {
    for (const part of this.parts.splice(0)) part.release();
  }
}

/** One message on its way in. */
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

  /** The content as it comes. Who stops reading stops the client, and may read on with `readToTheEnd`. */
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

  /** A reply before the final dot would not be read, or be taken for another. Who sends without end is cut off. */
  async readToTheEnd(maxBytes: number): Promise<void> {
    const { stream, pace } = this;
    // Nothing of what follows is kept.
    this.share.release();
    if (stream.destroyed || stream.readableEnded) return;
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
  }

  hold(): void {
    this.pace.held(performance.now());
  }

  resume(): void {
    this.pace.resumed(performance.now());
  }

  /** Everything that follows from the content is done. */
  end(): void {
    clearTimeout(this.timer);
    this.share.release();
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
