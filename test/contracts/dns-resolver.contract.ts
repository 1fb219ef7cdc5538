import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DnsResolver, DnsUnavailableError, TlsaRecord } from '#domains';

/** A resolver and the zones that it reads, which a test fills. Created for each test. */
export interface DnsResolverSubject {
  readonly resolver: DnsResolver;
  publish(name: string, records: PublishedRecords): void;
  /** From now on every question for this name fails. */
  fail(name: string): void;
  /** From now on the name has no records. */
  remove(name: string): void;
  dispose(): Promise<void>;
}

export interface PublishedRecords {
  /** Each record is the list of its strings. */
  readonly txt?: readonly (readonly string[])[];
  readonly mx?: readonly (readonly [number, string])[];
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
  readonly ns?: readonly string[];
  readonly caa?: readonly (readonly [tag: string, value: string])[];
  readonly ptr?: readonly string[];
  readonly tlsa?: readonly TlsaRecord[];
  readonly ttl?: number;
  readonly isAuthenticated?: boolean;
}

/** The tests that every `DnsResolver` must pass. */
export function describeDnsResolver(name: string, create: () => Promise<DnsResolverSubject>): void {
  describe(`${name} as a DnsResolver`, () => {
    let subject: DnsResolverSubject;
    let dns: DnsResolver;

    beforeEach(async () => {
      subject = await create();
      dns = subject.resolver;
    });

    afterEach(() => subject.dispose());

    test('the strings of one TXT record are joined, and several records stay separate', async () => {
      subject.publish('example.test', { txt: [['v=spf1 ', '-all'], ['x'.repeat(300)], ['']] });

      expect([...(await dns.txt('example.test'))].sort()).toEqual(['', 'v=spf1 -all', 'x'.repeat(300)]);
    });

    test('answers larger than a datagram arrive complete', async () => {
      const texts = Array.from({ length: 12 }, (_, index) => [`${index}-${'y'.repeat(240)}`]);
      subject.publish('large.test', { txt: texts });

      expect([...(await dns.txt('large.test'))].sort()).toEqual(texts.flat().sort());
    });

    test('CAA records have tag and value, and an alias has the CAA records of its target', async () => {
      subject.publish('example.test', {
        caa: [
          ['issue', 'ca.test; account=1'],
          ['iodef', 'mailto:a@example.test'],
        ],
      });
      subject.publish('alias.test', { cname: 'example.test' });

      for (const name of ['example.test', 'alias.test']) {
        expect([...(await dns.caa(name))].sort((a, b) => (a.tag < b.tag ? 1 : -1))).toEqual([
          { tag: 'issue', value: 'ca.test; account=1' },
          { tag: 'iodef', value: 'mailto:a@example.test' },
        ]);
      }
      expect(await dns.caa('nothing.test')).toEqual([]);
    });

    test('MX records have their preference, and host names in lower case without the last dot', async () => {
      subject.publish('example.test', {
        mx: [
          [10, 'MX1.Example.TEST.'],
          [20, 'mx2.example.test'],
        ],
      });

      expect([...(await dns.mx('EXAMPLE.test'))].sort((a, b) => a.preference - b.preference)).toEqual([
        { exchange: 'mx1.example.test', preference: 10 },
        { exchange: 'mx2.example.test', preference: 20 },
      ]);
    });

    test('a null MX is returned as an empty host name', async () => {
      subject.publish('null.test', { mx: [[0, '.']] });

      expect(await dns.mx('null.test')).toEqual([{ exchange: '', preference: 0 }]);
    });

    test('addresses, name servers and reverse names are found', async () => {
      subject.publish('host.test', { a: ['192.0.2.7'], aaaa: ['2001:db8::7'], ns: ['NS1.Dns.test'] });
      subject.publish('192.0.2.7', { ptr: ['Host.test'] });

      expect(await dns.a('host.test')).toEqual(['192.0.2.7']);
      expect(await dns.aaaa('host.test')).toEqual(['2001:db8::7']);
      expect(await dns.ns('host.test')).toEqual(['ns1.dns.test']);
      expect(await dns.ptr('192.0.2.7')).toEqual(['host.test']);
    });

    test('aliases are followed, and cname returns the direct target', async () => {
      subject.publish('alias.test', { cname: 'Middle.test' });
      subject.publish('middle.test', { cname: 'end.test' });
      subject.publish('end.test', { txt: [['found']], a: ['192.0.2.8'] });

      expect(await dns.txt('alias.test')).toEqual(['found']);
      expect(await dns.a('alias.test')).toEqual(['192.0.2.8']);
      expect(await dns.cname('alias.test')).toEqual(['middle.test']);
    });

    test('the answer is empty if the name does not exist or has no records of the type', async () => {
      subject.publish('only-a.test', { a: ['192.0.2.9'] });

      for (const name of ['only-a.test', 'nothing.test']) {
        expect([await dns.txt(name), await dns.mx(name), await dns.cname(name), await dns.ns(name)]).toEqual([
          [],
          [],
          [],
          [],
        ]);
      }
      expect(await dns.ptr('192.0.2.99')).toEqual([]);
    });

    test('a failing server is an error, not an empty answer', async () => {
      subject.fail('broken.test');

      for (const question of [dns.txt('broken.test'), dns.mx('broken.test'), dns.cname('broken.test')]) {
        await expect(question).rejects.toBeInstanceOf(DnsUnavailableError);
      }
    });

    test('an answer has a TTL, which for an alias is the smallest TTL of the chain', async () => {
      subject.publish('alias.test', { cname: 'end.test', ttl: 120 });
      subject.publish('end.test', { a: ['192.0.2.8'], ttl: 900 });
      subject.publish('only-a.test', { a: ['192.0.2.9'], ttl: 45 });

      expect((await dns.ask('a', 'end.test')).ttl).toBe(900);
      expect((await dns.ask('a', 'alias.test')).ttl).toBe(120);
      expect((await dns.ask('mx', 'only-a.test')).ttl).toBe(45);
    });

    test('an answer has the name at the end of the alias chain, and says whether DNSSEC authenticates it', async () => {
      subject.publish('Alias.test', { cname: 'end.test', isAuthenticated: true });
      subject.publish('end.test', { a: ['192.0.2.8'], isAuthenticated: true });
      subject.publish('plain.test', { a: ['192.0.2.9'] });

      expect(await dns.ask('a', 'alias.test')).toMatchObject({ canonicalName: 'end.test', isAuthenticated: true });
      expect(await dns.ask('a', 'Plain.test')).toMatchObject({ canonicalName: 'plain.test', isAuthenticated: false });
    });

    test('TLSA records have all their fields', async () => {
      const tlsa = [{ usage: 3, selector: 1, matchingType: 1, data: Uint8Array.from([1, 2, 254, 255]) }];
      subject.publish('_25._tcp.mx.test', { tlsa });

      expect((await dns.ask('tlsa', '_25._tcp.mx.test')).records).toEqual(tlsa);
    });

    test('a loop of aliases is an error, not an empty answer', async () => {
      subject.publish('one.test', { cname: 'two.test' });
      subject.publish('two.test', { cname: 'one.test' });

      await expect(dns.a('one.test')).rejects.toBeInstanceOf(DnsUnavailableError);
    });

    test('the next question sees a change of the zone', async () => {
      expect(await dns.txt('new.test')).toEqual([]);
      subject.publish('new.test', { txt: [['first']] });
      expect(await dns.txt('new.test')).toEqual(['first']);
      subject.publish('new.test', { txt: [['second']] });
      expect(await dns.txt('new.test')).toEqual(['second']);
      subject.remove('new.test');
      expect(await dns.txt('new.test')).toEqual([]);
    });
  });
}
