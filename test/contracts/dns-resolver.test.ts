import { describe, expect, test } from '@jest/globals';
import { DnsUnavailableError, InMemoryDnsResolver, SystemDnsResolver } from '#domains';
import { DnsServer } from '../support/dns-server.js';
import { describeDnsResolver, PublishedRecords } from './dns-resolver.contract.js';

describeDnsResolver('InMemoryDnsResolver', async () => {
  const resolver = new InMemoryDnsResolver();
  return {
    resolver,
    publish: (name, records) =>
      resolver.set(name, {
        ...records,
        txt: records.txt?.map((strings) => strings.join('')),
        mx: records.mx?.map(([preference, exchange]) => ({ preference, exchange })),
        caa: records.caa?.map(([tag, value]) => ({ tag, value })),
      }),
    fail: (name) => resolver.fail(name),
    remove: (name) => resolver.remove(name),
    dispose: async () => {},
  };
});

describeDnsResolver('SystemDnsResolver', async () => {
  const server = await DnsServer.listen();
  return {
    resolver: new SystemDnsResolver({ servers: [server.address], timeoutMs: 2_000, tries: 1 }),
    publish: (name, records) => publish(server, name, records),
    fail: (name) => server.trouble(name, 'servfail'),
    remove: (name) => server.remove(name),
    dispose: () => server.close(),
  };
});

describe('SystemDnsResolver', () => {
  test('a server that says nothing is given up within the deadline', async () => {
    const server = await DnsServer.listen();
    server.trouble('silent.test', 'silence');
    const resolver = new SystemDnsResolver({ servers: [server.address], timeoutMs: 150, tries: 2 });

    await expect(resolver.txt('silent.test')).rejects.toBeInstanceOf(DnsUnavailableError);

    expect(server.questions).toEqual(['TXT silent.test', 'TXT silent.test']);
    await server.close();
  });

  test('a truncated answer is asked for again over TCP', async () => {
    const server = await DnsServer.listen();
    server.txt('large.test', 'z'.repeat(2_000));
    const resolver = new SystemDnsResolver({ servers: [server.address], timeoutMs: 2_000, tries: 1 });

    expect(await resolver.txt('large.test')).toEqual(['z'.repeat(2_000)]);
    expect(server.questions).toContain('TXT/tcp large.test');
    await server.close();
  });

  test('a server that refuses is not an empty answer', async () => {
    const server = await DnsServer.listen();
    server.trouble('refused.test', 'refused');
    const resolver = new SystemDnsResolver({ servers: [server.address], timeoutMs: 500, tries: 1 });

    await expect(resolver.mx('refused.test')).rejects.toBeInstanceOf(DnsUnavailableError);
    await server.close();
  });
});

function publish(server: DnsServer, name: string, records: PublishedRecords): void {
  if (records.txt !== undefined) server.txt(name, ...records.txt);
  if (records.mx !== undefined) server.mx(name, ...records.mx);
  if (records.caa !== undefined) server.caa(name, ...records.caa);
  if (records.a !== undefined) server.a(name, ...records.a);
  if (records.aaaa !== undefined) server.aaaa(name, ...records.aaaa);
  if (records.cname !== undefined) server.cname(name, records.cname);
  if (records.ns !== undefined) server.ns(name, ...records.ns);
  if (records.ptr !== undefined) server.ptr(name, ...records.ptr);
}
