import { Resolver } from 'node:dns/promises';
import { CaaRecord, DnsResolver, DnsUnavailableError, MxRecord } from '../../application/ports/dns-resolver.port.js';

/** c-ares codes that mean "there is no such record", as against "nobody knows". */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

export interface SystemDnsOptions {
  /** `host:port` of the resolvers to ask; empty: those of the system. */
  readonly servers: readonly string[];
  readonly timeoutMs: number;
  readonly tries: number;
}

/** Asks the system's resolvers, or those named, through Node's c-ares. */
export class SystemDnsResolver extends DnsResolver {
  private readonly resolver: Resolver;

  constructor(options: SystemDnsOptions) {
    super();
    this.resolver = new Resolver({ timeout: options.timeoutMs, tries: options.tries });
    if (options.servers.length > 0) this.resolver.setServers([...options.servers]);
  }

  async txt(name: string): Promise<readonly string[]> {
    const records = await this.ask(name, () => this.resolver.resolveTxt(name));
    return records.map((strings) => strings.join(''));
  }

  async mx(name: string): Promise<readonly MxRecord[]> {
    const records = await this.ask(name, () => this.resolver.resolveMx(name));
    return records.map((record) => ({ exchange: hostName(record.exchange), preference: record.priority }));
  }

  a(name: string): Promise<readonly string[]> {
    return this.ask(name, () => this.resolver.resolve4(name));
  }

  aaaa(name: string): Promise<readonly string[]> {
    return this.ask(name, () => this.resolver.resolve6(name));
  }

  async cname(name: string): Promise<readonly string[]> {
    return (await this.ask(name, () => this.resolver.resolveCname(name))).map(hostName);
  }

  async ns(name: string): Promise<readonly string[]> {
    return (await this.ask(name, () => this.resolver.resolveNs(name))).map(hostName);
  }

  async caa(name: string): Promise<readonly CaaRecord[]> {
    const records = await this.ask(name, () => this.resolver.resolveCaa(name));
    return records.flatMap(({ critical: _, ...properties }) =>
      Object.entries(properties).map(([tag, value]) => ({ tag: tag.toLowerCase(), value: String(value) })),
    );
  }

  async ptr(address: string): Promise<readonly string[]> {
    return (await this.ask(address, () => this.resolver.reverse(address))).map(hostName);
  }

  private async ask<Answer>(name: string, question: () => Promise<Answer[]>): Promise<Answer[]> {
    try {
      return await question();
    } catch (error) {
      const code = (error as { code?: string }).code ?? 'unknown trouble';
      if (absent.has(code)) return [];
      throw new DnsUnavailableError(name, code);
    }
  }
}

function hostName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
