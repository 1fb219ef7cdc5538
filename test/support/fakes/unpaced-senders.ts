import { SenderPace } from '#delivery';
import type { ClaimedRecipient, PacedLane, PaceHold } from '#delivery';

/** No sender is slowed. */
export class UnpacedSenders extends SenderPace {
  pacedAmong(_claimed: readonly ClaimedRecipient[]): ReturnType<SenderPace['pacedAmong']> {
    return undefined;
  }

  mayGo(_lane: PacedLane): boolean {
    return true;
  }

  isShared(_lane: PacedLane): boolean {
    return false;
  }

  async take(_lane: PacedLane, wanted: number): Promise<number> {
    return wanted;
  }

  async giveBack(_lane: PacedLane, _count: number): Promise<void> {}

  async holdOf(): Promise<PaceHold | undefined> {
    return undefined;
  }
}
