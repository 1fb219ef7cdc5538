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
 * Asks the DNS for the mail hosts of domains that a team names. A domain costs up to 21 queries, so the number of domains
 * of a team is limited, at once and per hour. Otherwise anyone with an API key could flood other people's name servers through us.
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
    const found = new Map<string, MailHostsOfAddress>();
    const known = new Set(domains.filter((domain) => this.hosts.knows(domain)));
    const toAsk: string[] = [];
    for (const domain of domains) {
      if (known.has(domain)) continue;
      if (this.mayAsk(teamId)) toAsk.push(domain);
      else found.set(domain, 'not_checked');
    }
    const deadline = new AbortController();
    const over = new Promise<'unknown'>((resolve) => {
      deadline.signal.addEventListener('abort', () => resolve('unknown'), { once: true });
    });
    const timer = setTimeout(() => deadline.abort(), maxMs);
    const askInTurn = async (): Promise<void> => {
      for (let domain = toAsk.pop(); domain !== undefined; domain = toAsk.pop()) {
        found.set(domain, await this.ask(teamId, domain, deadline.signal, over));
      }
    };
    try {
      await Promise.all([
        ...[...known].map(async (domain) => found.set(domain, await Promise.race([this.hosts.of(domain), over]))),
        ...Array.from({ length: maxOfTeam }, askInTurn),
      ]);
      return found;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A look-up that is given up keeps its turn until it ends. */
  private async ask(
    teamId: string,
    domain: string,
    signal: AbortSignal,
    over: Promise<'unknown'>,
  ): Promise<MailHostsOfAddress> {
    try {
      const turn = await this.turns.take([teamId], 1, signal);
      return await Promise.race([this.hosts.of(domain).finally(() => turn.release()), over]);
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
