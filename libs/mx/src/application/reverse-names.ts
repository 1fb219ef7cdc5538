import { DnsResolver, reverseName } from '#domains';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';

/**
 * `confirmed`: a name of the address leads back to it. `mismatch`: none does. `missing`: it has no name. `unknown`: the
 * DNS has not answered.
 */
export const reverseVerdicts = ['confirmed', 'mismatch', 'missing', 'unknown'] as const;

export interface ReverseName {
  readonly verdict: (typeof reverseVerdicts)[number];
  readonly names: readonly string[];
}

/** Forward-confirmed reverse DNS. Rejects with DnsUnavailableError. */
export async function reverseNameOf(dns: DnsResolver, address: string): Promise<ReverseName> {
  const names = await dns.ptr(address);
  if (names.length === 0) return { verdict: 'missing', names };
  const hosts = names.slice(0, maxNames);
  const forward = await Promise.all(hosts.map((name) => (address.includes(':') ? dns.aaaa(name) : dns.a(name))));
  // However an IPv6 address is written, its reverse name is the same.
  const isConfirmed = forward.flat().some((found) => reverseName(found) === reverseName(address));
  return { verdict: isConfirmed ? 'confirmed' : 'mismatch', names: hosts };
}

const maxNames = 10;
const unknown: ReverseName = { verdict: 'unknown', names: [] };
const freshForMs = 5 * 60_000;
const unknownForMs = 30_000;
/** How long a page waits for the DNS. What comes later is shown the next time. */
const patienceMs = 2_000;
const atOnce = 20;
const maxKept = 2_000;

interface Kept {
  readonly name: ReverseName;
  readonly until: number;
}

/** What the DNS says about our addresses. Answers are kept for minutes. */
@Injectable()
export class ReverseNames {
  private readonly kept = new Map<string, Kept>();
  private readonly asked = new Set<string>();

  constructor(
    private readonly dns: DnsResolver,
    private readonly clock: Clock,
  ) {}

  /** In the order of the addresses. Never rejects, and takes two seconds at most. */
  async of(addresses: readonly string[]): Promise<readonly ReverseName[]> {
    const now = this.clock.now().getTime();
    const stale = addresses.filter(
      (address) => (this.kept.get(address)?.until ?? 0) <= now && !this.asked.has(address),
    );
    await this.withinPatience(this.ask(stale));
    return addresses.map((address) => this.kept.get(address)?.name ?? unknown);
  }

  private async ask(addresses: readonly string[]): Promise<void> {
    const queue = [...addresses];
    const askNext = async (): Promise<void> => {
      for (let address = queue.shift(); address !== undefined; address = queue.shift()) await this.askOne(address);
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, askNext));
  }

  private async askOne(address: string): Promise<void> {
    this.asked.add(address);
    const name = await reverseNameOf(this.dns, address).catch(() => unknown);
    this.asked.delete(address);
    if (this.kept.size >= maxKept) this.kept.clear();
    const keptForMs = name === unknown ? unknownForMs : freshForMs;
    this.kept.set(address, { name, until: this.clock.now().getTime() + keptForMs });
  }

  private async withinPatience(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)))]);
    clearTimeout(timer);
  }
}
