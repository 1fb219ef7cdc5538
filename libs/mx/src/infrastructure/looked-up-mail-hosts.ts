import { isPublicAddress } from '#http/outbound';
import { DnsResolver, DnsUnavailableError } from '#domains';
import { MailHosts, MailHostsFinding } from '../application/ports/mail-hosts.port.js';
import { DnsCache } from './sites/dns-cache.js';
import { MxLookup } from './sites/mx-lookup.js';

/** A cache of its own, so that domains which are only asked about push none out that mail is going to. */
const maxDomains = 5_000;
const maxAnswers = 10_000;

export class LookedUpMailHosts extends MailHosts {
  private readonly lookup: MxLookup;

  constructor(dns: DnsResolver, allowsPrivate: boolean) {
    super();
    const mayConnect = allowsPrivate ? (): boolean => true : isPublicAddress;
    // Without our own name and addresses, domains that are received here have hosts like all others.
    this.lookup = new MxLookup(new DnsCache(dns, undefined, maxAnswers), { heloName: '', mayConnect, maxDomains });
  }

  knows(domain: string): boolean {
    return this.lookup.knows(domain);
  }

  async of(domain: string): Promise<MailHostsFinding> {
    try {
      const route = await this.lookup.routeOf(domain);
      if (route.kind === 'hosts') return 'found';
      return route.enhancedCode === '5.1.10' ? 'null_mx' : 'none';
    } catch (error) {
      if (error instanceof DnsUnavailableError) return 'unknown';
      throw error;
    }
  }
}
