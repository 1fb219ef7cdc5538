import { expect, it } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import { Receivers } from './receivers.js';

const dns = new InMemoryDnsResolver();
dns.set('acme.test', {
  mx: [
    { exchange: 'backup.example.net', preference: 20 },
    { exchange: 'aspmx.l.google.com', preference: 1 },
  ],
});
dns.set('own.test', { a: ['192.0.2.1'] });

it('the mail hosts of a domain tell its provider', async () => {
  const receivers = new Receivers(dns, { usesMailHosts: true });
  expect(await receivers.providerOf('ACME.test')).toBe('google');
  expect(await receivers.providerOf('own.test')).toBe('own.test');
  dns.set('acme.test', { mx: [{ exchange: 'mx.elsewhere.test', preference: 1 }] });
  expect(await receivers.providerOf('acme.test')).toBe('google');
});

it('without an answer of the DNS, and through a relay, the domain itself decides', async () => {
  const silent = { mx: () => Promise.reject(new Error('no answer')) } as unknown as InMemoryDnsResolver;
  expect(await new Receivers(silent, { usesMailHosts: true }).providerOf('gmail.com')).toBe('google');
  expect(await new Receivers(silent, { usesMailHosts: false }).providerOf('mail.acme.test')).toBe('acme.test');
});
