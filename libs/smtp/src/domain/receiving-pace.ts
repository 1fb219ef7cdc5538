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
