import { WorkAllowance } from '../../domain/work-allowance.js';

/** The share of an owner grows when others leave, so it is read again after this time. */
const maxSleepMs = 1_000;

interface Waiting {
  readonly isGone: () => boolean;
  /** Called once, unless the client is gone then. */
  readonly goOn: () => void;
}

/**
 * Waits until an owner over its allowance is within it again, at most `waitMs`. The client does not wait for work that
 * others of the same owner cause in the meantime.
 */
export function waitForWork(work: WorkAllowance, owner: string, waitMs: number, waiting: Waiting): void {
  const until = performance.now() + waitMs;
  const look = (): void => {
    if (waiting.isGone()) return;
    const now = performance.now();
    const restMs = Math.min(until - now, work.waitMs(owner, now));
    if (restMs <= 0) waiting.goOn();
    else setTimeout(look, Math.min(restMs, maxSleepMs));
  };
  setTimeout(look, Math.min(waitMs, maxSleepMs));
}
