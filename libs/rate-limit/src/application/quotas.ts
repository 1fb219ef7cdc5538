import { Clock, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkQuota, periodsOf, QuotaLimits, TeamUsage, used } from '../domain/quota.js';
import { CountedMessages, SendingUsage } from './ports/sending-usage.port.js';

export abstract class ConfiguredQuotas implements QuotaLimits {
  abstract readonly daily: number | undefined;
  abstract readonly monthly: number | undefined;
}

/** Teams whose usage a process remembers. */
const remembered = 10_000;

/**
 * Keeps teams within their quotas. The counters decide, in the accepting transaction; what this process remembers of
 * them only spares transactions that are bound to fail.
 */
@Injectable()
export class Quotas {
  private readonly known = new Map<string, { readonly day: string; readonly usage: TeamUsage }>();

  constructor(
    private readonly usage: SendingUsage,
    private readonly limits: ConfiguredQuotas,
    private readonly clock: Clock,
  ) {}

  /** Refuses messages that cannot fit any more. Usage only grows within a period, so old knowledge is enough for a no. */
  refuseBeyond(teamId: string, messages: number): void {
    const usage = this.knownUsage(teamId);
    if (usage === undefined) return;
    checkQuota(this.limits, {
      daily: { ...usage.daily, sent: usage.daily.sent + messages },
      monthly: { ...usage.monthly, sent: usage.monthly.sent + messages },
    });
  }

  /** Counts messages in the transaction that accepts them, or refuses. Answers with what to remember after the commit. */
  async count(messages: readonly CountedMessages[], transaction: Transaction): Promise<ReadonlyMap<string, TeamUsage>> {
    const usages = await this.usage.count(messages, this.clock.now(), transaction);
    for (const usage of usages.values()) checkQuota(this.limits, usage);
    return usages;
  }

  remember(usages: ReadonlyMap<string, TeamUsage>): void {
    if (this.known.size >= remembered) this.known.clear();
    const { day } = periodsOf(this.clock.now());
    for (const [teamId, usage] of usages) {
      const before = this.knownUsage(teamId);
      if (before === undefined || used(before.daily) <= used(usage.daily)) this.known.set(teamId, { day, usage });
    }
  }

  /** What the team has used of its quotas, for the headers of a sending answer; undefined where there is no quota. */
  async shown(teamId: string): Promise<{ readonly daily?: number; readonly monthly?: number }> {
    const { daily, monthly } = this.limits;
    if (daily === undefined && monthly === undefined) return {};
    const usage = this.knownUsage(teamId) ?? (await this.usage.read(teamId, this.clock.now()));
    return {
      ...(daily === undefined ? {} : { daily: used(usage.daily) }),
      ...(monthly === undefined ? {} : { monthly: used(usage.monthly) }),
    };
  }

  private knownUsage(teamId: string): TeamUsage | undefined {
    const known = this.known.get(teamId);
    return known?.day === periodsOf(this.clock.now()).day ? known.usage : undefined;
  }
}
