import { ScreenWaiting } from '#emails';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ClaimedRecipient, FinishedAttempt } from '../domain/attempt.js';
import { SettleAttempts } from './deliver-email.js';

/**
 * Mail accepted less than this long ago was screened at its acceptance. So a broadcast that does not wait costs
 * nothing.
 */
const freshForMs = 5_000;

/**
 * Asks once more, at delivery, whether the recipients of bulk mail may get it: they may have unsubscribed or been
 * suppressed while it waited. One look-up for a claimed batch. Other mail is not asked about.
 */
@Injectable()
export class RecheckBulk {
  constructor(
    private readonly screen: ScreenWaiting,
    private readonly attempts: SettleAttempts,
    private readonly clock: Clock,
  ) {}

  /** Settles the mail of recipients that may not get it any more, and returns the other recipients. */
  async stillWanted(claimed: readonly ClaimedRecipient[]): Promise<readonly ClaimedRecipient[]> {
    const now = this.clock.now();
    const waited = claimed.filter(({ queuedAt }) => now.getTime() - queuedAt.getTime() > freshForMs);
    if (waited.length === 0) return claimed;
    const verdicts = await this.screen.screen(waited);
    const dropped = waited.flatMap((recipient, no): FinishedAttempt[] => {
      const withheld = verdicts[no];
      if (withheld === undefined) return [];
      const reason = 'The recipient was suppressed or unsubscribed while the mail waited';
      const outcome = { kind: 'bounced', reason, withheld, detail: { durationMs: 0 } } as const;
      return [{ recipient, outcome, startedAt: now, retryAt: undefined }];
    });
    if (dropped.length === 0) return claimed;
    await Promise.all(dropped.map((attempt) => this.attempts.settle(attempt)));
    const isDropped = new Set(dropped.map(({ recipient }) => recipient));
    return claimed.filter((recipient) => !isDropped.has(recipient));
  }
}
