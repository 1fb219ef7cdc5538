import { BudgetShare, FairBudget } from '#kernel';
import { MessageWaitsForMemoryError } from '../../application/ports/routed-messages.port.js';

const megabyte = 1024 * 1024;
/** A message is in memory as it is stored, as it is sealed or dot-stuffed, and as it is stored again. */
const copies = 3;
const memory = { total: 192 * megabyte, maxPerOwner: 96 * megabyte };
/**
 * What hosts may hold of it. One that is silent keeps its message for minutes, so half is left for messages that go
 * elsewhere, and two teams leave some of this half to a third one.
 */
const memoryOfHosts = { total: 96 * megabyte, maxPerOwner: 40 * megabyte };
/** A run must not wait for hosts. */
const maxWaitMs = 10_000;

/** The memory of one message. */
export interface HeldMemory {
  /**
   * Holds it for a host as well, until the function that is returned is called. Undefined: messages at hosts hold as
   * much as they may.
   */
  holdForHost(): (() => void) | undefined;
  release(): void;
}

/** The memory for received messages, shared among teams. */
export class MessageMemory {
  private readonly all = new FairBudget(memory);
  private readonly ofHosts = new FairBudget(memoryOfHosts);

  async take(teamId: string, size: number): Promise<HeldMemory> {
    const amount = size * copies;
    const patience = { maxWaitMs, refusal: () => new MessageWaitsForMemoryError() };
    const share = await this.all.hold([teamId], amount, patience);
    // A larger message counts as its team's whole part here: it goes alone, and leaves other teams theirs.
    const ofHosts = Math.min(amount, memoryOfHosts.maxPerOwner);
    return new MemoryOfMessage(share, () => this.ofHosts.takeAtOnce([teamId], ofHosts));
  }
}

class MemoryOfMessage implements HeldMemory {
  private holders = 1;
  private hosts = 0;
  private shareOfHosts: BudgetShare | undefined;

  constructor(
    private readonly share: BudgetShare,
    private readonly takeForHosts: () => BudgetShare | undefined,
  ) {}

  holdForHost(): (() => void) | undefined {
    this.shareOfHosts ??= this.takeForHosts();
    if (this.shareOfHosts === undefined) return undefined;
    this.holders++;
    this.hosts++;
    return () => this.endOfHost();
  }

  release(): void {
    if (--this.holders === 0) this.share.release();
  }

  private endOfHost(): void {
    if (--this.hosts === 0) {
      this.shareOfHosts?.release();
      this.shareOfHosts = undefined;
    }
    this.release();
  }
}
