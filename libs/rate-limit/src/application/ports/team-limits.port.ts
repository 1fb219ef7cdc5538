import { Transaction } from '#kernel';
import { MessageCount, TeamUsage } from '../../domain/limits.js';

/** The limits that an operator has set for a team. Null: those of the configuration. A quota of 0: no quota. */
export interface TeamLimitSettings {
  readonly requestsPerSecond: number | null;
  readonly dailyQuota: number | null;
  readonly monthlyQuota: number | null;
}

export const configuredLimits: TeamLimitSettings = { requestsPerSecond: null, dailyQuota: null, monthlyQuota: null };

/** Limits by team. Every process knows all of them, because they are needed for each request. */
export abstract class TeamLimits {
  /** Of a team, from memory: a change arrives within seconds. */
  abstract of(teamId: string): TeamLimitSettings;

  /** Whether any team has a quota of its own. */
  abstract readonly hasQuotas: boolean;

  /** As stored. */
  abstract read(teamId: string): Promise<TeamLimitSettings>;

  abstract readAll(teamIds: readonly string[]): Promise<ReadonlyMap<string, TeamLimitSettings>>;

  abstract change(teamId: string, changes: Partial<TeamLimitSettings>): Promise<void>;
}

/** Number of messages of one team. Each recipient of each email is one message. */
export interface CountedMessages {
  readonly teamId: string;
  readonly messages: number;
  /** Set if the API key that sends them has a limit of its own. */
  readonly keyLimit?: KeyLimit;
}

/** How many messages an API key may send in a day (UTC). */
export interface KeyLimit {
  readonly apiKeyId: string;
  readonly daily: number;
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

  /** The same for API keys, by their ids. Locks their counters: to be sent after `count`. */
  abstract countKeys(
    messages: ReadonlyMap<string, number>,
    at: Date,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, number>>;

  abstract read(teamId: string, at: Date): Promise<TeamUsage>;

  /** Messages of an API key on the day of a moment. */
  abstract readKey(apiKeyId: string, at: Date): Promise<number>;
}
