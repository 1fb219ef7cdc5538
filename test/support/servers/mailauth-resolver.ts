import { InMemoryDnsResolver } from '#domains';

/** A resolver for mailauth on the zones of a test, as Node's `dns.promises.resolve`. */
export function resolverOf(dns: InMemoryDnsResolver): (name: string, type: string) => Promise<string[][] | string[]> {
  return async (name, type) => {
    const records = await recordsOf(dns, name, type);
    if (records.length === 0) throw Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENOTFOUND' });
    return records;
  };
}

async function recordsOf(dns: InMemoryDnsResolver, name: string, type: string): Promise<string[][] | string[]> {
  switch (type) {
    case 'TXT':
      return (await dns.txt(name)).map((text) => [text]);
    case 'A':
      return [...(await dns.a(name))];
    case 'AAAA':
      return [...(await dns.aaaa(name))];
    default:
      return [];
  }
}
