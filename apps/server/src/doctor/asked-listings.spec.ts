import { expect, it } from '@jest/globals';
import { Domain, InMemoryDnsResolver, ServiceNames } from '#domains';
import type { SendingAddress } from '#mx';
import { Config } from '#platform/config';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryAddresses } from '../../../../test/support/fakes/in-memory-pools.js';
import { AskedListings } from './asked-listings.js';
import { Blocklists } from './blocklists.js';
import { SourceAddresses } from './source-addresses.js';

const domain = {
  id: 'd',
  name: 'acme.test',
  teamId: 't',
  sandbox: false,
  region: 'eu',
  standIn: null,
} as unknown as Domain;
const hour = 3_600_000;

const isControl = /^(?:invalid|1\.0\.0\.127)\./;

/** Counts the questions to lists, without those about what no list may have. */
class CountingDns extends InMemoryDnsResolver {
  readonly asked: string[] = [];

  override a(name: string): Promise<readonly string[]> {
    if (name.endsWith('bl.test') && !isControl.test(name)) this.asked.push(name);
    return super.a(name);
  }
}

function program(changes: object = {}) {
  const values = {
    blocklists: ['bl.test'],
    domainBlocklists: ['dbl.test'],
    deliveryTransport: 'mx',
    sourceAddresses: [],
    ...changes,
  };
  const config = { values } as unknown as Config;
  const dns = new CountingDns();
  const clock = new FakeClock(new Date('2026-11-21T10:00:00Z'));
  const names = { hostsOf: () => ({ host: 'mail.test' }) } as unknown as ServiceNames;
  const stored = new InMemoryAddresses();
  const addresses = new SourceAddresses(config, dns, names, stored);
  dns.set('mail.test', { a: ['192.0.2.1'] });
  return { dns, clock, stored, listings: new AskedListings(new Blocklists(dns, clock), addresses, config, clock) };
}

it('asks for the domain and for the addresses that it sends from', async () => {
  const { dns, clock, listings } = program();
  dns.set('acme.test.dbl.test', { a: ['127.0.1.2'], txt: ['see\u202e\nhttps://dbl.test/acme'] });
  dns.set('1.2.0.192.bl.test', { a: ['127.0.0.2'] });
  const since = clock.now();
  expect(await listings.of(domain)).toEqual({
    answered: 2,
    unanswered: 0,
    listed: [
      {
        subject: 'acme.test',
        kind: 'domain',
        list: 'dbl.test',
        codes: ['127.0.1.2'],
        since,
        reason: 'see  https://dbl.test/acme',
      },
      { subject: '192.0.2.1', kind: 'address', list: 'bl.test', codes: ['127.0.0.2'], reason: '', since },
    ],
  });
});

it('repeats a question after six hours, and remembers since when something is listed', async () => {
  const { dns, clock, listings } = program({ blocklists: [] });
  dns.set('acme.test.dbl.test', { a: ['127.0.1.2'] });
  const since = clock.now();
  await listings.of(domain);
  clock.advance(5 * hour);
  await Promise.all([listings.of(domain), listings.of(domain)]);
  expect(dns.asked).toHaveLength(1);
  clock.advance(2 * hour);
  const again = await listings.of(domain);
  expect([dns.asked.length, again?.listed[0]?.since]).toEqual([2, since]);
});

it('counts what a list refuses, and asks a silent list once in ten minutes', async () => {
  const { dns, clock, listings } = program();
  dns.set('acme.test.dbl.test', { a: ['127.255.255.254'] });
  dns.fail('1.2.0.192.bl.test');
  expect(await listings.of(domain)).toEqual({ listed: [], answered: 0, unanswered: 2 });
  await listings.of(domain);
  expect(dns.asked).toHaveLength(2);
  clock.advance(hour / 6);
  await listings.of(domain);
  expect(dns.asked).toHaveLength(3);
});

it('asks nothing without lists, for the sandbox, and for addresses of a relay', async () => {
  expect(await program({ blocklists: [], domainBlocklists: [] }).listings.of(domain)).toBeUndefined();
  const { dns, listings } = program({ deliveryTransport: 'relay' });
  expect(await listings.of({ ...domain, sandbox: true })).toBeUndefined();
  await listings.of(domain);
  expect(dns.asked).toEqual(['acme.test.dbl.test']);
});

it('asks for the addresses of the pool that the domain has', async () => {
  const { dns, stored, listings } = program();
  stored.ofDomains.set('d', [{ address: '192.0.2.7', heloName: 'out7.mail.test' } as SendingAddress]);
  await listings.of(domain);
  expect(dns.asked).toContain('7.2.0.192.bl.test');
  expect(dns.asked).not.toContain('1.2.0.192.bl.test');
});

it('asks for the domain alone while the DNS does not tell the addresses', async () => {
  const { dns, listings } = program();
  dns.fail('mail.test');
  expect(await listings.of(domain)).toEqual({ listed: [], answered: 1, unanswered: 0 });
});

it.each([
  ['domain', 'invalid.dbl.test', 'acme.test.dbl.test'],
  ['address', '1.0.0.127.bl.test', '1.2.0.192.bl.test'],
])('does not believe a list that has every %s', async (_, control, name) => {
  const { dns, listings } = program();
  dns.set(name, { a: ['127.0.0.2'] });
  dns.set(control, { a: ['127.0.0.2'] });

  expect(await listings.of(domain)).toEqual({ listed: [], answered: 1, unanswered: 1 });
});

it('does not believe a list whose answers lead elsewhere, nor one whose control gets no answer', async () => {
  const { dns, listings } = program();
  dns.set('acme.test.dbl.test', { a: ['127.0.1.2', '203.0.113.7'] });
  dns.set('1.2.0.192.bl.test', { a: ['127.0.0.2'] });
  dns.fail('1.0.0.127.bl.test');

  expect(await listings.of(domain)).toEqual({ listed: [], answered: 0, unanswered: 2 });
});

it('keeps a few of thousands of codes, and whole characters of a long reason', async () => {
  const { dns, listings } = program({ blocklists: [] });
  const a = Array.from({ length: 4_000 }, (_, no) => `127.0.${no >> 8}.${no & 255}`);
  dns.set('acme.test.dbl.test', { a, txt: [`${'x'.repeat(199)}\u{1f600}`] });

  const [listing] = (await listings.of(domain))?.listed ?? [];

  expect(listing?.codes).toEqual(a.slice(0, 10));
  expect(listing?.reason.isWellFormed()).toBe(true);
});
