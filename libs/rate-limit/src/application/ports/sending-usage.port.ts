import { Transaction } from '#kernel';
import { TeamUsage } from '../../domain/quota.js';

/** Messages of one team: each recipient of each email is one. */
export interface CountedMessages {
  readonly teamId: string;
  readonly messages: number;
}

/** What every team has sent in the current day and month. */
export abstract class SendingUsage {
  /**
   * Counts messages within the transaction that accepts them, and answers with what the teams have used then. To be the
   * last of the transaction's statements: it holds the teams' counters until the commit.
   */
  abstract count(
    messages: readonly CountedMessages[],
    at: Date,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, TeamUsage>>;

  abstract read(teamId: string, at: Date): Promise<TeamUsage>;
}
