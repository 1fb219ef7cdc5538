import { DnsResolver } from '#domains';
import { providerOf } from '#insights';
import { Injectable } from '@nestjs/common';

/** Domains whose provider is remembered, and for how long. */
const maxKnown = 10_000;
const keptMs = 3_600_000;

/** Whether mail goes to the mail hosts of recipients, so that their hosts tell the provider. */
export abstract class ReceiverRules {
  abstract readonly usesMailHosts: boolean;
}

/** Which mailbox provider receives the mail of a domain: by its mail hosts, as the counters know it. */
@Injectable()
export class Receivers {
  private readonly known = new Map<string, { readonly provider: Promise<string>; readonly at: number }>();

  constructor(
    private readonly dns: DnsResolver,
    private readonly rules: ReceiverRules,
  ) {}

  /** Never rejects: if the DNS gives no answer, the name of the domain decides, and it is asked again the next time. */
  providerOf(domain: string): Promise<string> {
    const name = domain.toLowerCase();
    if (!this.rules.usesMailHosts) return Promise.resolve(providerOf(`@${name}`));
    const known = this.known.get(name);
    if (known !== undefined && performance.now() - known.at < keptMs) return known.provider;
    const provider = this.look(name);
    this.remember(name, provider);
    return provider;
  }

  private async look(name: string): Promise<string> {
    try {
      const [first] = [...(await this.dns.mx(name))].sort((a, b) => a.preference - b.preference);
      return providerOf(first === undefined || first.exchange === '' ? name : first.exchange);
    } catch {
      this.known.delete(name);
      return providerOf(`@${name}`);
    }
  }

  private remember(name: string, provider: Promise<string>): void {
    this.known.set(name, { provider, at: performance.now() });
    const [oldest] = this.known.keys();
    if (this.known.size > maxKnown && oldest !== undefined) this.known.delete(oldest);
  }
}
