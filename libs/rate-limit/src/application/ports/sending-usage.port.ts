import { Transaction } from '#kernel';
import { MessageCount, TeamUsage } from '../../domain/quota.js';

/** Number of messages of one team. Each recipient of each email is one message. */
export interface CountedMessages {
  readonly teamId: string;
  readonly messages: number;
}

/** How many messages each team has sent and received in the current day and month (UTC). */
export abstract class SendingUsage {
  /**
   * Counts messages in the transaction that accepts them, and returns the teams' usage with these messages included.
   * Must be the last statement of the transaction: it locks the teams' counters until the commit.
   */
  abstract count(
    messages: readonly CountedMessages[],
    at: Date,
    transaction: Transaction,
    direction: keyof MessageCount,
  ): Promise<ReadonlyMap<string, TeamUsage>>;

  abstract read(teamId: string, at: Date): Promise<TeamUsage>;
}
