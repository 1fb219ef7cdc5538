import { afterEach, describe, expect, test } from '@jest/globals';
import { DnsUnavailableError, InMemoryDnsResolver, SystemDnsResolver } from '#domains';
import { DnsServer } from '../support/servers/dns-server.js';
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
  test('a question to a silent server fails after the timeout of each try', async () => {
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

  test('a refusal is an error, not an empty answer', async () => {
    const server = await DnsServer.listen();
    server.trouble('refused.test', 'refused');
    const resolver = new SystemDnsResolver({ servers: [server.address], timeoutMs: 2_000, tries: 1 });

    await expect(resolver.mx('refused.test')).rejects.toBeInstanceOf(DnsUnavailableError);
    await server.close();
  });
});

describe('SystemDnsResolver', () => {
  const servers: DnsServer[] = [];
  const listen = async (): Promise<DnsServer> => {
    const server = await DnsServer.listen();
    servers.push(server);
    return server;
  };
  const asking = (...asked: DnsServer[]) =>
    new SystemDnsResolver({ servers: asked.map(({ address }) => address), timeoutMs: 1_000, tries: 1 });

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  test('the next server is asked if one is silent or fails', async () => {
    const [silent, broken, healthy] = [await listen(), await listen(), await listen()];
    silent.trouble('example.test', 'silence');
    broken.trouble('example.test', 'servfail');
    healthy.a('example.test', '192.0.2.1');

    expect(await asking(silent, broken, healthy).a('example.test')).toEqual(['192.0.2.1']);
  });

  test('an answer that is not a DNS message is an error', async () => {
    const server = await listen();
    server.trouble('example.test', 'nonsense');

    await expect(asking(server).a('example.test')).rejects.toBeInstanceOf(DnsUnavailableError);
  });

  test('a truncated answer is an error if the rest never comes over TCP', async () => {
    const server = await listen();
    server.txt('large.test', 'z'.repeat(2_000)).trouble('large.test', 'silence over tcp');

    await expect(asking(server).txt('large.test')).rejects.toBeInstanceOf(DnsUnavailableError);
    expect(server.questions).toEqual(['TXT large.test', 'TXT/tcp large.test']);
  });

  test('no question is sent for a name that is invalid in the DNS', async () => {
    const server = await listen();

    expect(await asking(server).a(`${'a'.repeat(64)}.test`)).toEqual([]);
    expect(await asking(server).a('a..test')).toEqual([]);
    expect(server.questions).toEqual([]);
  });

  test('an internationalized name is asked for in its ASCII form', async () => {
    const server = await listen();
    server.a('xn--bcher-kva.test', '192.0.2.3');

    expect(await asking(server).a('Bücher.test')).toEqual(['192.0.2.3']);
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
  for (const { usage, selector, matchingType, data } of records.tlsa ?? []) {
    server.tlsa(name, [usage, selector, matchingType, data]);
  }
  if (records.ttl !== undefined) server.ttl(name, records.ttl);
  if (records.isAuthenticated === true) server.authenticate(name);
}
