import { Transaction } from '#kernel';
import { LookedAt } from '../../domain/cause.js';
import { GuardedRate } from '../../domain/guard-limits.js';
import { OutcomeHour } from '../../domain/evidence.js';
import { GuardedPair, ReplyExample } from '../../domain/guard-state.js';

/** What became of mail, as the guard needs to know it. */
export abstract class GuardedOutcomes {
  /** By hour, from `since` on. */
  abstract hours(pair: GuardedPair, since: Date, transaction: Transaction): Promise<readonly OutcomeHour[]>;

  /** The most frequent replies with which mail was refused since that day, a few of them. */
  abstract replies(pair: GuardedPair, since: Date, transaction: Transaction): Promise<readonly ReplyExample[]>;

  /**
   * What the newest messages to the provider that count for a rate have in common, of those accepted since. Looks at a bounded number of the team's newest
   * emails, so it may take a few hundred milliseconds.
   */
  abstract lookedAt(pair: GuardedPair, rate: GuardedRate, since: Date, transaction: Transaction): Promise<LookedAt>;
}
