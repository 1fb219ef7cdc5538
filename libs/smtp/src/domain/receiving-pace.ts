export interface PaceLimits {
  /** From DATA to the final dot, however steadily bytes come. */
  readonly maxMs: number;
  /** Time that the client may keep us waiting in all, before its rate counts. */
  readonly graceMs: number;
  /** Each second of waiting beyond the grace has to be earned with so many bytes. */
  readonly minBytesPerSecond: number;
}

/**
 * The clock of one message on its way in. Counts the time in which we wait for the client, not that in which the client
 * waits for us (Postfix calls it `smtpd_min_data_rate`).
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

  /** We do not read what the client sends: it waits for us, whoever else is waiting for its bytes. */
  held(nowMs: number): void {
    this.isHeld = true;
    this.count(nowMs);
  }

  resumed(nowMs: number): void {
    this.isHeld = false;
    this.count(nowMs);
  }

  /** Time until the client is too slow if nothing more comes, in ms; 0 or less when it is. */
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
