import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { DnsResolver, DnsUnavailableError, InMemoryDnsResolver } from '#domains';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { ReverseNames } from './reverse-names.js';

let clock: FakeClock;

beforeEach(() => {
  clock = new FakeClock(new Date('2026-11-30T00:00:00Z'));
});
afterEach(() => void jest.useRealTimers());

it('an address is confirmed by a name that leads back to it, and the answer is kept for minutes', async () => {
  const dns = new InMemoryDnsResolver();
  dns.set('192.0.2.1', { ptr: ['out1.mail.test'] });
  dns.set('out1.mail.test', { a: ['192.0.2.1'] });
  dns.set('192.0.2.2', { ptr: ['out1.mail.test'] });
  const names = new ReverseNames(dns, clock);
  const verdicts = async (): Promise<string[]> =>
    (await names.of(['192.0.2.1', '192.0.2.2', '192.0.2.3'])).map(({ verdict }) => verdict);
  expect(await verdicts()).toEqual(['confirmed', 'mismatch', 'missing']);
  dns.set('out1.mail.test', { a: ['192.0.2.2'] });
  expect(await verdicts()).toEqual(['confirmed', 'mismatch', 'missing']);
  clock.advance(301_000);
  expect(await verdicts()).toEqual(['mismatch', 'confirmed', 'missing']);
});

it('a DNS that is silent or fails makes nobody wait for longer than two seconds', async () => {
  jest.useFakeTimers();
  const failing = {
    ptr: async () => Promise.reject(new DnsUnavailableError('out1', 'SERVFAIL')),
  } as never as DnsResolver;
  expect(await new ReverseNames(failing, clock).of(['192.0.2.1'])).toEqual([{ verdict: 'unknown', names: [] }]);
  const silent = { ptr: () => new Promise(() => undefined) } as never as DnsResolver;
  const asked = new ReverseNames(silent, clock).of(['192.0.2.1']);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await asked).toEqual([{ verdict: 'unknown', names: [] }]);
});
