import { isIP } from 'node:net';
import { DnsUnavailableError } from '#domains';
import { ShortCache } from '#platform/caching';
import { MessageOrigin } from '../../application/ports/message-judge.port.js';
import { AuthenticationResult, FcrdnsVerdict, SpfVerdict } from '../../domain/verdicts.js';
import { SenderDns } from './sender-dns.js';

/** Names of a client that are looked up. */
const maxNames = 5;
const maxNameLength = 255;

/**
 * Results of SPF for a minute, as long as those of the DNS are kept. Each message asks twice, at RCPT and at DATA, and a client that
 * sends more asks again. With a record of one range, this saves a third of the CPU of a message of 4 KB.
 */
export class SpfResults {
  private readonly cache = new ShortCache<SpfVerdict>({ ttlMs: 60_000, maxEntries: 5_000 });

  constructor(
    private readonly dns: SenderDns,
    private readonly hostName: string,
  ) {}

  /** Never throws. */
  async of(origin: MessageOrigin): Promise<SpfVerdict> {
    const { client, mailFrom, network } = origin;
    let failed: SpfVerdict | undefined;
    // The network is part of the key, so that nobody waits for the turn of another network.
    const result = await this.cache.get([network, client.address, client.helo, mailFrom].join('\n'), async () => {
      const verdict = await checkSpf(origin, this.dns, this.hostName);
      if (verdict.result !== 'temperror') return verdict;
      failed = verdict;
      return undefined;
    });
    return result ?? failed ?? { result: 'temperror', domain: spfDomain(mailFrom, client.helo) };
  }
}

/** SPF with mailauth. Never throws. */
export async function checkSpf(origin: MessageOrigin, dns: SenderDns, hostName: string): Promise<SpfVerdict> {
  const { client, mailFrom, network } = origin;
  const domain = spfDomain(mailFrom, client.helo);
  try {
    const { spf } = await import('mailauth/lib/spf/index.js');
    const { status } = await spf({
      sender: mailFrom === '' ? `postmaster@${client.helo}` : mailFrom,
      ip: client.address,
      helo: client.helo,
      mta: hostName,
      resolver: dns.resolverFor(network),
    } as never);
    return { result: status.result as AuthenticationResult, domain };
  } catch {
    return { result: 'temperror', domain };
  }
}

function spfDomain(mailFrom: string, helo: string): string {
  return (mailFrom === '' ? helo : mailFrom.slice(mailFrom.lastIndexOf('@') + 1)).toLowerCase();
}

/** Never throws. */
export async function checkName({ client, network }: MessageOrigin, dns: SenderDns): Promise<FcrdnsVerdict> {
  try {
    const names = await dns.records('ptr', client.address, network);
    const type = isIP(client.address) === 6 ? 'aaaa' : 'a';
    for (const name of names.slice(0, maxNames)) {
      if (name.length > maxNameLength) continue;
      const addresses = await dns.records(type, name, network);
      if (addresses.some((address) => isSame(address, client.address))) return { result: 'pass', name };
    }
    return names[0] === undefined ? { result: 'none' } : { result: 'fail', name: names[0].slice(0, maxNameLength) };
  } catch (error) {
    if (error instanceof DnsUnavailableError) return { result: 'temperror' };
    return { result: 'fail' };
  }
}

function isSame(one: string, other: string): boolean {
  return normalized(one) === normalized(other);
}

/** The URL parser writes an IPv6 address in its shortest form. */
function normalized(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address.split('%', 1)[0]}]`).hostname : address;
}
