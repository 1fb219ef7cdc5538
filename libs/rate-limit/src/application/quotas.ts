import { Clock, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkQuota, KeyLimitExceededError, periodsOf, QuotaLimits, TeamUsage, used } from '../domain/limits.js';
import { CountedMessages, KeyLimit, SendingUsage } from './ports/team-limits.port.js';

export abstract class ConfiguredQuotas implements QuotaLimits {
  abstract readonly daily: number | undefined;
  abstract readonly monthly: number | undefined;

  /** Those of one team, where teams have quotas of their own. */
  abstract readonly of?: (teamId: string) => QuotaLimits;

  /** Whether any team has quotas of its own. */
  abstract readonly hasOwn?: () => boolean;
}

/** What teams have used, and the day (UTC) on which it was counted. */
export interface CountedUsage {
  readonly day: string;
  readonly teams: ReadonlyMap<string, TeamUsage>;
  /** Messages of the API keys that have a limit of their own. */
  readonly keys?: ReadonlyMap<string, number>;
}

/** Number of teams, and of API keys, whose usage a process remembers. */
const maxRememberedTeams = 10_000;

/**
 * Keeps teams within their quotas, and API keys within their own limits. The database counters decide, in the accepting transaction. The copy in this process
 * only avoids transactions that are sure to be refused.
 */
@Injectable()
export class Quotas {
  private readonly known = new Map<string, { readonly day: string; readonly usage: TeamUsage }>();

  private readonly knownKeys = new Map<string, { readonly day: string; readonly sent: number }>();

  constructor(
    private readonly usage: SendingUsage,
    private readonly limits: ConfiguredQuotas,
    private readonly clock: Clock,
  ) {}

  /** False if no quota is configured, so that `count` refuses only what is beyond the limit of an API key. */
  get mayRefuse(): boolean {
    return this.limits.daily !== undefined || this.limits.monthly !== undefined || this.limits.hasOwn?.() === true;
  }

  /** Refuses messages that exceed a quota. Usage only grows within a period, so an outdated copy is enough to refuse. */
  refuseBeyond({ teamId, messages, keyLimit }: CountedMessages): void {
    if (keyLimit !== undefined) this.checkKey(keyLimit, this.knownOfKey(keyLimit) + messages);
    if (!this.mayRefuse) return;
    const usage = this.knownUsage(teamId);
    if (usage !== undefined) checkQuota(this.limitsOf(teamId), plus(usage, messages), this.clock.now());
  }

  /** The same by what is counted now, also if this process does not know it yet. */
  async refuseNow({ teamId, messages, keyLimit }: CountedMessages): Promise<void> {
    const now = this.clock.now();
    if (keyLimit !== undefined) {
      this.checkKey(keyLimit, (await this.usage.readKey(keyLimit.apiKeyId, now)) + messages);
    }
    if (!this.mayRefuse) return;
    const usage = await this.usage.read(teamId, now);
    checkQuota(this.limitsOf(teamId), plus(usage, messages), now);
  }

  isBeyond(counted: CountedMessages): boolean {
    try {
      this.refuseBeyond(counted);
      return false;
    } catch {
      return true;
    }
  }

  /**
   * Counts messages in the transaction that accepts them, or refuses them. Returns what to pass to `remember` after the
   * commit.
   */
  async count(messages: readonly CountedMessages[], transaction: Transaction): Promise<CountedUsage> {
    const at = this.clock.now();
    const { day } = periodsOf(at);
    const [teams, keys] = await Promise.all([
      this.usage.count(messages, at, transaction, 'sent'),
      this.countKeys(messages, at, transaction),
    ]);
    for (const [teamId, usage] of teams) {
      try {
        checkQuota(this.limitsOf(teamId), usage, at);
      } catch (error) {
        // The usage without these messages is committed, perhaps by another process. Remember it, so that the next
        // request is refused without a transaction.
        this.remember({ day, teams: new Map([[teamId, plus(usage, -totalOf(messages, teamId))]]) });
        throw error;
      }
    }
    return { day, teams, keys };
  }

  /** Counts received messages in the transaction that stores them. Mail of others is never refused for a quota. */
  async countReceived(messages: readonly CountedMessages[], transaction: Transaction): Promise<CountedUsage> {
    const at = this.clock.now();
    return { day: periodsOf(at).day, teams: await this.usage.count(messages, at, transaction, 'received') };
  }

  remember({ day, teams, keys = new Map() }: CountedUsage): void {
    if (this.knownKeys.size >= maxRememberedTeams) this.knownKeys.clear();
    for (const [apiKeyId, sent] of keys) {
      const before = this.knownKeys.get(apiKeyId);
      if (before === undefined || before.day < day || (before.day === day && before.sent <= sent)) {
        this.knownKeys.set(apiKeyId, { day, sent });
      }
    }
    if (this.known.size >= maxRememberedTeams) this.known.clear();
    for (const [teamId, usage] of teams) {
      const before = this.known.get(teamId);
      const isNewer = before === undefined || before.day < day || used(before.usage.daily) <= used(usage.daily);
      if (isNewer && (before === undefined || before.day <= day)) this.known.set(teamId, { day, usage });
    }
  }

  /**
   * What the team has used of its quotas, for the headers of a response to a sending request. A quota that is not
   * configured is absent.
   */
  async shown(teamId: string): Promise<{ readonly daily?: number; readonly monthly?: number }> {
    const { daily, monthly } = this.limitsOf(teamId);
    if (daily === undefined && monthly === undefined) return {};
    const usage = this.knownUsage(teamId) ?? (await this.usage.read(teamId, this.clock.now()));
    return {
      ...(daily === undefined ? {} : { daily: used(usage.daily) }),
      ...(monthly === undefined ? {} : { monthly: used(usage.monthly) }),
    };
  }

  /** Reads and writes nothing where no message is of a key with a limit. */
  private async countKeys(
    messages: readonly CountedMessages[],
    at: Date,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, number>> {
    const limits = new Map<string, KeyLimit>();
    const sums = new Map<string, number>();
    for (const { keyLimit, messages: count } of messages) {
      if (keyLimit === undefined) continue;
      limits.set(keyLimit.apiKeyId, keyLimit);
      sums.set(keyLimit.apiKeyId, (sums.get(keyLimit.apiKeyId) ?? 0) + count);
    }
    if (sums.size === 0) return sums;
    const keys = await this.usage.countKeys(sums, at, transaction);
    for (const [apiKeyId, keyLimit] of limits) {
      const sent = keys.get(apiKeyId) ?? 0;
      const before = sent - (sums.get(apiKeyId) ?? 0);
      if (sent > keyLimit.daily) {
        this.remember({ day: periodsOf(at).day, teams: new Map(), keys: new Map([[apiKeyId, before]]) });
      }
      this.checkKey(keyLimit, sent);
    }
    return keys;
  }

  private checkKey({ daily }: KeyLimit, sent: number): void {
    if (sent > daily) throw new KeyLimitExceededError(daily, this.clock.now());
  }

  private knownOfKey({ apiKeyId }: KeyLimit): number {
    const known = this.knownKeys.get(apiKeyId);
    return known?.day === periodsOf(this.clock.now()).day ? known.sent : 0;
  }

  private limitsOf(teamId: string): QuotaLimits {
    return this.limits.of?.(teamId) ?? this.limits;
  }

  private knownUsage(teamId: string): TeamUsage | undefined {
    const known = this.known.get(teamId);
    return known?.day === periodsOf(this.clock.now()).day ? known.usage : undefined;
  }
}

function plus({ daily, monthly }: TeamUsage, messages: number): TeamUsage {
  return {
    daily: { ...daily, sent: daily.sent + messages },
    monthly: { ...monthly, sent: monthly.sent + messages },
  };
}

function totalOf(messages: readonly CountedMessages[], team: string): number {
  return messages.reduce((sum, { teamId, messages: count }) => sum + (teamId === team ? count : 0), 0);
}
