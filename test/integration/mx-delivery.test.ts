import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { InMemoryDnsResolver } from '#domains';
import type { ZoneRecords } from '#domains';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import type { MxOptions } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import * as server from '../support/servers/scripted-smtp-server.js';
import { ScriptedSmtpServer } from '../support/servers/scripted-smtp-server.js';
import type { Script } from '../support/servers/scripted-smtp-server.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { testCertificate } from '../support/servers/test-certificate.js';
import type { SmtpSinkOptions } from '../support/servers/smtp-sink.js';

const heloName = 'client.test';
const mx = (exchange: string, preference = 10) => ({ exchange, preference });
const to = (address: string) => outboundMessage({ recipients: [address] });

let dns: InMemoryDnsResolver;
let port: number;
let open: { close(): Promise<void> }[];

beforeEach(() => {
  dns = new InMemoryDnsResolver();
  open = [];
  port = 0;
});

afterEach(async () => {
  for (const thing of open.reverse()) await thing.close();
});

/** All hosts of a test listen on the same port, each on its own address. */
async function sinkAt(host: string, options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const sink = await SmtpSink.listen({ keep: true, host, port, ...options });
  port = sink.port;
  open.push(sink);
  return sink;
}

async function scriptedAt(host: string, script: Script): Promise<ScriptedSmtpServer> {
  const peer = await ScriptedSmtpServer.listen(script, { host, port });
  port = peer.port;
  open.push(peer);
  return peer;
}

function transport(options: Partial<MxOptions> = {}): MxDeliveryTransport {
  const made = new MxDeliveryTransport(dns, { port, heloName, allowPrivateDestinations: true, backOff: 1, ...options });
  open.push(made);
  return made;
}

const delivered = { kind: 'delivered' };

describe('which host gets the mail', () => {
  test('the one with the lowest preference', async () => {
    const best = await sinkAt('127.0.0.2');
    const second = await sinkAt('127.0.0.3');
    dns.set('site.test', { mx: [mx('b.site.test', 20), mx('a.site.test', 10)] });
    dns.set('a.site.test', { a: ['127.0.0.2'] });
    dns.set('b.site.test', { a: ['127.0.0.3'] });

    expect(await transport().deliver(to('ann@site.test'))).toMatchObject([
      { kind: 'delivered', detail: { host: 'a.site.test', address: `127.0.0.2:${port}` } },
    ]);
    expect([best.count, second.count]).toEqual([1, 0]);
  });

  test.each<[string, Script | undefined]>([
    ['refuses connections', undefined],
    ['greets with 554', { banner: server.reply('554 5.3.2 Not today') }],
    ['greets with 421', { banner: server.replyAndDisconnect('421 4.3.2 Busy') }],
    ['hangs up', { banner: server.disconnect }],
    ['refuses EHLO and HELO', { ehlo: server.reply('550 No'), helo: server.reply('550 No') }],
  ])('the next one if the best %s', async (_, script) => {
    await sinkAt('127.0.0.3');
    if (script !== undefined) await scriptedAt('127.0.0.2', script);
    dns.set('site.test', { mx: [mx('a.site.test', 10), mx('b.site.test', 20)] });
    dns.set('a.site.test', { a: ['127.0.0.2'] });
    dns.set('b.site.test', { a: ['127.0.0.3'] });

    expect(await transport().deliver(to('ann@site.test'))).toMatchObject([
      { kind: 'delivered', detail: { host: 'b.site.test' } },
    ]);
  });

  test('IPv4 if the IPv6 address cannot be reached', async () => {
    await sinkAt('127.0.0.2');
    dns.set('site.test', { mx: [mx('a.site.test')] });
    dns.set('a.site.test', { aaaa: ['::1'], a: ['127.0.0.2'] });

    expect(await transport().deliver(to('ann@site.test'))).toMatchObject([
      { kind: 'delivered', detail: { address: `127.0.0.2:${port}` } },
    ]);
  });

  test.each<[string, Record<string, ZoneRecords>]>([
    ['the domain itself without MX', { 'site.test': { a: ['127.0.0.2'] } }],
    [
      'the target of an alias',
      { 'site.test': { cname: 'x.test' }, 'x.test': { mx: [mx('y.test')] }, 'y.test': { a: ['127.0.0.2'] } },
    ],
    [
      'an MX host that is an alias',
      { 'site.test': { mx: [mx('x.test')] }, 'x.test': { cname: 'y.test' }, 'y.test': { a: ['127.0.0.2'] } },
    ],
    [
      'the MX host that has an address',
      { 'site.test': { mx: [mx('gone.test', 1), mx('y.test', 2)] }, 'y.test': { a: ['127.0.0.2'] } },
    ],
    ['the host of a domain in upper case', { 'SITE.test': { mx: [mx('y.test')] }, 'y.test': { a: ['127.0.0.2'] } }],
  ])('%s', async (_, zones) => {
    const sink = await sinkAt('127.0.0.2');
    for (const [name, records] of Object.entries(zones)) dns.set(name, records);

    expect(await transport().deliver(to('ann@Site.test'))).toMatchObject([delivered]);
    expect(sink.count).toBe(1);
  });

  test('another MX host if the look-up of the first fails', async () => {
    await sinkAt('127.0.0.2');
    dns.set('site.test', { mx: [mx('a.site.test', 10), mx('b.site.test', 20)] });
    dns.fail('a.site.test');
    dns.set('b.site.test', { a: ['127.0.0.2'] });

    expect(await transport().deliver(to('ann@site.test'))).toMatchObject([delivered]);
  });
});

describe('what bounces without a connection', () => {
  test.each<[string, string, Record<string, ZoneRecords>]>([
    ['a null MX', '5.1.10', { 'site.test': { mx: [mx('', 0)], a: ['127.0.0.2'] } }],
    ['a domain that does not exist', '5.1.2', {}],
    ['MX hosts without addresses', '5.4.4', { 'site.test': { mx: [mx('a.test'), mx('b.test')], a: ['127.0.0.2'] } }],
    [
      'ourselves as the best host',
      '5.4.6',
      { 'site.test': { mx: [mx('Client.test', 10), mx('b.test', 20)] }, 'b.test': { a: ['127.0.0.2'] } },
    ],
  ])('%s', async (_, enhancedCode, zones) => {
    for (const [name, records] of Object.entries(zones)) dns.set(name, records);

    expect(await transport().deliver(to('ann@site.test'))).toMatchObject([
      { kind: 'bounced', detail: { enhancedCode } },
    ]);
  });

  test.each(['127.0.0.2', '10.0.0.1', '169.254.169.254', '192.168.0.1', '0.0.0.0'])(
    'a host at %s, unless private destinations are allowed',
    async (address) => {
      const sink = await sinkAt('127.0.0.2');
      dns.set('site.test', { mx: [mx('a.test')] });
      dns.set('a.test', { a: [address] });

      expect(await transport({ allowPrivateDestinations: false }).deliver(to('ann@site.test'))).toMatchObject([
        { kind: 'bounced', detail: { enhancedCode: '5.4.4' } },
      ]);
      expect(sink.connectionCount).toBe(0);
    },
  );
});

describe('what is tried again', () => {
  test.each<[string, (zones: InMemoryDnsResolver) => void]>([
    ['SERVFAIL for the domain', (zones) => zones.fail('site.test')],
    [
      'SERVFAIL for all of its hosts',
      (zones) => {
        zones.set('site.test', { mx: [mx('a.test')] });
        zones.fail('a.test');
      },
    ],
    ['a loop of aliases', (zones) => zones.set('site.test', { cname: 'site.test' })],
    [
      'SERVFAIL for its only host beside ourselves',
      (zones) => {
        zones.set('site.test', { mx: [mx('a.test', 10), mx('b.test', 20)] });
        zones.fail('a.test');
        zones.set('b.test', { a: ['127.0.0.9'] });
      },
    ],
  ])('%s', async (_, prepare) => {
    prepare(dns);
    const mail = transport({ isOwnAddress: (address) => address === '127.0.0.9' });

    expect(await mail.deliver(to('ann@site.test'))).toMatchObject([
      { kind: 'deferred', isSiteTrouble: true, outcomeUnknown: false, detail: { enhancedCode: '4.4.3' } },
    ]);
  });

  test('SERVFAIL for its only host with a public address', async () => {
    dns.set('site.test', { mx: [mx('a.test', 10), mx('b.test', 20)] });
    dns.fail('a.test');
    dns.set('b.test', { a: ['10.0.0.1'] });

    expect(await transport({ allowPrivateDestinations: false }).deliver(to('ann@site.test'))).toMatchObject([
      { kind: 'deferred', isSiteTrouble: true, detail: { enhancedCode: '4.4.3' } },
    ]);
  });

  test('a site without a reachable host', async () => {
    await sinkAt('127.0.0.2');
    dns.set('site.test', { mx: [mx('a.test', 1), mx('b.test', 2)] });
    dns.set('a.test', { a: ['127.0.0.8'] });
    dns.set('b.test', { a: ['127.0.0.9'] });

    expect(await transport().deliver(to('ann@site.test'))).toMatchObject([
      { kind: 'deferred', isSiteTrouble: true, detail: { host: 'a.test' } },
    ]);
  });
});

/** nodemailer's server, whose certificate cannot be verified for the host's name. */
async function tlsServerAt(host: string): Promise<void> {
  const smtp = new SMTPServer({
    ...testCertificate,
    authOptional: true,
    onData: (stream, _session, done) => stream.resume().on('end', () => done()),
  });
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve) => smtp.listen(0, host, resolve));
  port = (smtp.server.address() as AddressInfo).port;
  open.push({ close: () => new Promise((resolve) => smtp.close(() => resolve())) });
}

test.each(['opportunistic', 'enforced'] as const)(
  '%s TLS encrypts, and reports that the certificate is not verified',
  async (tls) => {
    await tlsServerAt('127.0.0.2');
    dns.set('site.test', { a: ['127.0.0.2'] });

    expect(await transport().deliver(outboundMessage({ recipients: ['ann@site.test'], tls }))).toMatchObject([
      { kind: 'delivered', detail: { tls: { protocol: 'TLSv1.3', authorized: false } } },
    ]);
  },
);

describe('a domain that enforces TLS', () => {
  const enforced = outboundMessage({ recipients: ['ann@site.test'], tls: 'enforced' });

  test('bounces mail instead of sending it unencrypted', async () => {
    const sink = await sinkAt('127.0.0.2');
    dns.set('site.test', { a: ['127.0.0.2'] });

    expect(await transport().deliver(enforced)).toMatchObject([
      { kind: 'bounced', detail: { host: 'site.test', enhancedCode: '5.7.10' } },
    ]);
    expect(sink.count).toBe(0);
  });

  test('defers mail if the server offers STARTTLS and cannot start it now', async () => {
    await scriptedAt('127.0.0.2', { ehlo: server.ehlo('STARTTLS') });
    dns.set('site.test', { a: ['127.0.0.2'] });

    expect(await transport().deliver(enforced)).toMatchObject([{ kind: 'deferred', isSiteTrouble: true }]);
  });
});

describe('a site that limits connections', () => {
  test('gets no more connections than it accepts, no message is refused, and other sites keep theirs', async () => {
    const narrow = await sinkAt('127.0.0.2', { connectionLimit: 2 });
    const wide = await sinkAt('127.0.0.3');
    dns.set('narrow.test', { a: ['127.0.0.2'] });
    dns.set('wide.test', { a: ['127.0.0.3'] });
    const mail = transport();

    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => mail.deliver(to(`u${index}@${index % 2 ? 'wide' : 'narrow'}.test`))),
    );

    expect(outcomes.flat().filter(({ kind }) => kind !== 'delivered')).toEqual([]);
    expect([narrow.count, wide.count]).toEqual([50, 50]);
    expect(narrow.refusedConnections).toBeGreaterThan(0);
    expect([mail.connectionLimitOf('narrow.test'), mail.connectionLimitOf('wide.test')]).toEqual([2, 5]);
  });

  test('keeps its limits where it is the one at which idle sites are removed', async () => {
    await sinkAt('127.0.0.2');
    const mail = transport();
    const sites = Array.from({ length: 1_001 }, (_, no) => `s${no}.test`);
    for (const name of sites) dns.set(name, { a: ['127.0.0.8'] });
    dns.set('s1000.test', { a: ['127.0.0.2'] });

    await Promise.all(sites.slice(0, 1_000).map((name) => mail.deliver(to(`ann@${name}`))));
    expect(await mail.deliver(to('ann@s1000.test'))).toMatchObject([delivered]);

    expect(mail.connectionLimitOf('s1000.test')).toBe(5);
  });

  test('shares its connections between all domains with its hosts', async () => {
    const sink = await sinkAt('127.0.0.2');
    for (const name of ['a.test', 'b.test', 'c.test']) dns.set(name, { mx: [mx('mx.site.test')] });
    dns.set('mx.site.test', { a: ['127.0.0.2'] });
    const mail = transport();

    await Promise.all(Array.from({ length: 60 }, (_, index) => mail.deliver(to(`u${index}@${'abc'[index % 3]}.test`))));

    expect(sink.count).toBe(60);
    expect(sink.connectionCount).toBeLessThanOrEqual(5);
  });
});
