import { Clock, FairBudget } from '#kernel';
import { MailHosts } from '#mx';
import { Injectable } from '@nestjs/common';
import type { MailHostsOfAddress } from '../domain/addresses/address-validation.js';

/** Time for all domains of a request together. */
const maxMs = 8_000;
/** Domains that are looked up at the same time: of one team, and of all. */
const maxOfTeam = 8;
const maxInAll = 64;
/** Domains of one team that this process asks the DNS about in an hour. Those that are known do not count. */
export const maxDomainsPerHour = 1_000;
const hourMs = 3_600_000;
const maxTeams = 10_000;

interface AskedDomains {
  readonly since: number;
  count: number;
}

/**
 * Asks the DNS for the mail hosts of domains that a team names. A domain costs up to 21 questions, so the number of domains
 * of a team is bounded, at once and by hour: whoever has an API key could otherwise have the DNS of others asked without end.
 */
@Injectable()
export class AskMailHosts {
  private readonly turns = new FairBudget({ total: maxInAll, maxPerOwner: maxOfTeam });
  private readonly asked = new Map<string, AskedDomains>();

  constructor(
    private readonly hosts: MailHosts,
    private readonly clock: Clock,
  ) {}

  /** The domains are in lower case, each once. Those that are not answered in time are `unknown`. */
  async of(teamId: string, domains: readonly string[]): Promise<ReadonlyMap<string, MailHostsOfAddress>> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), maxMs);
    try {
      const found = domains.map(async (domain) => [domain, await this.one(teamId, domain, deadline.signal)] as const);
      return new Map(await Promise.all(found));
    } finally {
      clearTimeout(timer);
    }
  }

  private async one(teamId: string, domain: string, signal: AbortSignal): Promise<MailHostsOfAddress> {
    if (this.hosts.knows(domain)) return untilAborted(this.hosts.of(domain), signal);
    if (!this.mayAsk(teamId)) return 'not_checked';
    try {
      const turn = await this.turns.take([teamId], 1, signal);
      // A look-up that is given up keeps its turn until it ends.
      return await untilAborted(
        this.hosts.of(domain).finally(() => turn.release()),
        signal,
      );
    } catch (error) {
      if (signal.aborted) return 'unknown';
      throw error;
    }
  }

  private mayAsk(teamId: string): boolean {
    const now = this.clock.now().getTime();
    const asked = this.asked.get(teamId);
    if (asked !== undefined && now - asked.since < hourMs) return ++asked.count <= maxDomainsPerHour;
    // Deleted first, so that the oldest window comes first.
    this.asked.delete(teamId);
    this.asked.set(teamId, { since: now, count: 1 });
    if (this.asked.size > maxTeams) this.asked.delete(this.asked.keys().next().value as string);
    return true;
  }
}

function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | 'unknown'> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve('unknown');
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    value.finally(() => signal.removeEventListener('abort', giveUp)).then(resolve, reject);
  });
}
