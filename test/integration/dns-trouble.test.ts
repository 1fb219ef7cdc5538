import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SystemDnsResolver } from '#domains';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import type { MxOptions } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import { DnsCache } from '../../libs/mx/src/infrastructure/sites/dns-cache.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { DnsServer } from '../support/servers/dns-server.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

let dns: DnsServer;
let sink: SmtpSink;
let open: { close(): Promise<void> }[];

beforeEach(async () => {
  dns = await DnsServer.listen();
  sink = await SmtpSink.listen({ host: '127.0.0.2' });
  open = [dns, sink];
});

afterEach(async () => {
  for (const thing of open.reverse()) await thing.close();
});

/** A silent server costs a test this timeout twice. Every other answer must come within it, even on a slow machine. */
const resolver = () => new SystemDnsResolver({ servers: [dns.address], timeoutMs: 600, tries: 2 });

async function send(options: Partial<MxOptions> = {}) {
  const transport = new MxDeliveryTransport(resolver(), {
    port: sink.port,
    heloName: 'client.test',
    allowPrivateDestinations: true,
    backOff: 1,
    ...options,
  });
  open.push(transport);
  const [outcome] = await transport.deliver(outboundMessage({ recipients: ['ann@site.test'] }));
  return outcome;
}

describe('mail is delivered', () => {
  test.each<[string, () => void]>([
    [
      'to a host that is an alias of an alias (RFC 5321 section 5.1 forbids it, but it is common)',
      () =>
        void dns
          .mx('site.test', [10, 'a.test'])
          .cname('a.test', 'b.test')
          .cname('b.test', 'c.test')
          .a('c.test', '127.0.0.2'),
    ],
    [
      'to a domain that is an alias',
      () => void dns.cname('site.test', 'real.test').mx('real.test', [10, 'mx.test']).a('mx.test', '127.0.0.2'),
    ],
    [
      'if the list of hosts does not fit into a datagram',
      () =>
        void dns
          .mx('site.test', ...Array.from({ length: 40 }, (_, at) => [at + 1, `host-${at}.mail.site.test`] as const))
          .a('host-0.mail.site.test', '127.0.0.2'),
    ],
    [
      'if the look-up of one of two hosts fails',
      () =>
        void dns.mx('site.test', [10, 'a.test'], [20, 'b.test']).trouble('a.test', 'silence').a('b.test', '127.0.0.2'),
    ],
  ])('%s', async (_, publish) => {
    publish();

    expect(await send()).toMatchObject({ kind: 'delivered' });
  });
});

describe('mail is tried again after', () => {
  test.each<[string, () => void]>([
    ['SERVFAIL', () => void dns.trouble('site.test', 'servfail')],
    ['REFUSED', () => void dns.trouble('site.test', 'refused')],
    ['no answer in time', () => void dns.trouble('site.test', 'silence')],
    ['an answer that is not a DNS message', () => void dns.trouble('site.test', 'nonsense')],
    [
      'a truncated answer whose rest never comes',
      () =>
        void dns
          .mx('site.test', ...Array.from({ length: 40 }, (_, at) => [at, `host-${at}.mail.site.test`] as const))
          .trouble('site.test', 'silence over tcp'),
    ],
    ['SERVFAIL for all hosts', () => void dns.mx('site.test', [10, 'a.test']).trouble('a.test', 'servfail')],
    [
      'a host in a loop of aliases',
      () => void dns.mx('site.test', [10, 'a.test']).cname('a.test', 'b.test').cname('b.test', 'a.test'),
    ],
    ['a domain in a loop of aliases', () => void dns.cname('site.test', 'b.test').cname('b.test', 'site.test')],
  ])('%s', async (_, publish) => {
    publish();

    expect(await send()).toMatchObject({
      kind: 'deferred',
      outcomeUnknown: false,
      isSiteTrouble: true,
      detail: { enhancedCode: '4.4.3' },
    });
    expect(sink.connectionCount).toBe(0);
  });
});

describe('mail bounces at once for', () => {
  const own = { isOwnAddress: (address: string) => address === '127.0.0.2' };
  test.each<[string, string, () => void, Partial<MxOptions>]>([
    ['a null MX (RFC 7505)', '5.1.10', () => void dns.mx('site.test', [0, '.']).a('site.test', '127.0.0.2'), {}],
    ['a domain that does not exist', '5.1.2', () => undefined, {}],
    [
      'hosts that do not exist',
      '5.4.4',
      () => void dns.mx('site.test', [10, 'gone.test']).a('site.test', '127.0.0.2'),
      {},
    ],
    ['an alias that leads nowhere', '5.1.2', () => void dns.cname('site.test', 'gone.test'), {}],
    ['our own name', '5.4.6', () => void dns.mx('site.test', [10, 'client.test']).a('client.test', '127.0.0.2'), {}],
    ['our own address', '5.4.6', () => void dns.mx('site.test', [10, 'a.test']).a('a.test', '127.0.0.2'), own],
    [
      'our own address, with another host of a worse preference',
      '5.4.6',
      () => void dns.mx('site.test', [10, 'a.test'], [20, 'b.test']).a('a.test', '127.0.0.2').a('b.test', '127.0.0.3'),
      own,
    ],
    [
      'a private address',
      '5.4.4',
      () => void dns.mx('site.test', [10, 'a.test']).a('a.test', '127.0.0.2'),
      { allowPrivateDestinations: false },
    ],
  ])('%s', async (_, enhancedCode, publish, options) => {
    publish();

    expect(await send(options)).toMatchObject({ kind: 'bounced', detail: { enhancedCode } });
    expect(sink.connectionCount).toBe(0);
  });
});

test('a host with a better preference than our own gets the mail', async () => {
  dns.mx('site.test', [10, 'a.test'], [20, 'b.test']).a('a.test', '127.0.0.2').a('b.test', '127.0.0.3');

  expect(await send({ isOwnAddress: (address) => address === '127.0.0.3' })).toMatchObject({
    kind: 'delivered',
    detail: { host: 'a.test' },
  });
});

test.each<[string, number, number]>([
  ['for its TTL', 600, 600],
  ['for a minute if its TTL is shorter', 1, 60],
  ['for an hour if its TTL is longer', 86_400, 3_600],
])('an answer is cached %s', async (_, ttl, seconds) => {
  let now = 0;
  const cache = new DnsCache(resolver(), () => now);
  dns.a('host.test', '127.0.0.2').ttl('host.test', ttl);

  await cache.ask('a', 'host.test');
  now = seconds * 1_000 - 1;
  await cache.ask('a', 'Host.test');
  expect(dns.questions).toHaveLength(1);
  now = seconds * 1_000;
  await cache.ask('a', 'host.test');
  expect(dns.questions).toHaveLength(2);
});

test('an empty answer is cached for its TTL, at most 15 minutes, and a failure for 5 seconds', async () => {
  let now = 0;
  const cache = new DnsCache(resolver(), () => now);
  dns.ttl('absent.test', 7_200).trouble('broken.test', 'servfail');

  expect((await cache.ask('mx', 'absent.test')).freshUntil).toBe(900_000);
  await expect(cache.ask('mx', 'broken.test')).rejects.toThrow('SERVFAIL');
  dns.trouble('broken.test', undefined).mx('broken.test', [10, 'a.test']);
  await expect(cache.ask('mx', 'broken.test')).rejects.toThrow('SERVFAIL');
  now = 5_000;
  expect((await cache.ask('mx', 'broken.test')).records).toHaveLength(1);
});
