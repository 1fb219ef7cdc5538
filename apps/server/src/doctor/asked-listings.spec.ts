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

/** Counts the questions to lists. */
class CountingDns extends InMemoryDnsResolver {
  readonly asked: string[] = [];

  override a(name: string): Promise<readonly string[]> {
    if (name.endsWith('bl.test')) this.asked.push(name);
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
