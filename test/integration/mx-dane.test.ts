import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SystemDnsResolver } from '#domains';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { DnsServer } from '../support/servers/dns-server.js';
import { TestAuthority, tlsaDataOf } from '../support/servers/test-authority.js';
import { TlsMailServer } from '../support/servers/tls-mail-server.js';

const authority = new TestAuthority();
const good = authority.issue('mx.site.test');
const misnamed = authority.issue('other.test');
const expired = authority.issue('mx.site.test', new Date(Date.now() - 86_400_000));
const [mailHost, domain] = ['mx.site.test', 'site.test'];

let dns: DnsServer;
let server: TlsMailServer;
let open: { close(): Promise<void> }[];

beforeEach(async () => {
  dns = await DnsServer.listen();
  open = [dns];
  dns.mx(domain, [10, mailHost]).a(mailHost, '127.0.0.2').authenticate(domain, mailHost);
});

afterEach(async () => {
  for (const thing of open.reverse()) await thing.close();
});

async function serve(certificate: typeof good | undefined, isVouchedFor = true): Promise<string> {
  server = await TlsMailServer.listen('127.0.0.2', 0, certificate);
  open.push(server);
  const tlsaName = `_${server.port}._tcp.${mailHost}`;
  if (isVouchedFor) dns.authenticate(tlsaName);
  return tlsaName;
}

function transportTo(port: number, options: { readonly dane?: boolean } = {}): MxDeliveryTransport {
  const transport = new MxDeliveryTransport(
    new SystemDnsResolver({ servers: [dns.address], timeoutMs: 2_000, tries: 1 }),
    { port, heloName: 'client.test', allowPrivateDestinations: true, backOff: 1, dane: true, ...options },
  );
  open.push(transport);
  return transport;
}

async function send(options: { readonly dane?: boolean } = {}) {
  const transport = transportTo(server.port, options);
  const [outcome] = await transport.deliver(outboundMessage({ recipients: [`ann@${domain}`] }));
  return outcome;
}

describe('a TLSA record lets mail through', () => {
  test.each<[string, 2 | 3, 0 | 1, 0 | 1 | 2, typeof good]>([
    ['3 1 1', 3, 1, 1, good],
    ['3 0 1', 3, 0, 1, good],
    ['3 1 2', 3, 1, 2, good],
    ['3 0 0', 3, 0, 0, good],
    ['3 1 1 of a certificate for another name, which does not matter', 3, 1, 1, misnamed],
    ['3 1 1 of a certificate that has expired, which does not matter', 3, 1, 1, expired],
  ])('%s', async (_, usage, selector, matchingType, certificate) => {
    const name = await serve(certificate);
    dns.tlsa(name, [usage, selector, matchingType, tlsaDataOf(certificate.cert, selector, matchingType)]);

    expect(await send()).toMatchObject({ kind: 'delivered', detail: { tls: { level: 'dane', authorized: true } } });
  });

  test.each<[string, 0 | 1, 1 | 2]>([
    ['2 1 1', 1, 1],
    ['2 0 1', 0, 1],
    ['2 0 2', 0, 2],
  ])('%s, of the authority that issued the certificate', async (_, selector, matchingType) => {
    const name = await serve(good);
    dns.tlsa(name, [2, selector, matchingType, tlsaDataOf(authority.cert, selector, matchingType)]);

    expect(await send()).toMatchObject({ kind: 'delivered', detail: { tls: { level: 'dane', authorized: true } } });
  });

  test('one of several, if the others have an unsupported usage or do not match', async () => {
    const name = await serve(good);
    dns.tlsa(name, [1, 1, 1, Buffer.alloc(32)], [3, 1, 1, Buffer.alloc(32)], [3, 1, 1, tlsaDataOf(good.cert, 1, 1)]);

    expect(await send()).toMatchObject({ kind: 'delivered', detail: { tls: { level: 'dane' } } });
  });

  test('published under the name at the end of the host’s alias chain', async () => {
    await serve(good);
    dns.remove(mailHost).cname(mailHost, 'real.host.test').a('real.host.test', '127.0.0.2');
    const name = `_${server.port}._tcp.real.host.test`;
    dns.authenticate(name).tlsa(name, [3, 1, 1, tlsaDataOf(good.cert, 1, 1)]);

    expect(await send()).toMatchObject({ kind: 'delivered', detail: { tls: { level: 'dane' } } });
    expect(dns.questions).toContain(`TLSA ${name}`);
  });
});

describe('a TLSA record holds mail back, and nothing is sent unencrypted', () => {
  test.each<[string, 2 | 3, typeof good, string]>([
    ['the certificate does not match', 3, misnamed, 'matches no TLSA record'],
    [
      'another authority issued the certificate',
      2,
      new TestAuthority('Other').issue(mailHost),
      'matches a TLSA record',
    ],
    ['the certificate is for another name', 2, misnamed, 'is for none of mx.site.test, site.test'],
    ['the certificate has expired', 2, expired, 'expired'],
  ])('%s', async (_, usage, certificate, reason) => {
    const name = await serve(certificate);
    const data = usage === 3 ? tlsaDataOf(good.cert, 1, 1) : tlsaDataOf(authority.cert, 1, 1);
    dns.tlsa(name, [usage, 1, 1, data]);

    const outcome = await send();

    expect(outcome).toMatchObject({
      kind: 'deferred',
      isSiteTrouble: true,
      detail: { tls: { level: 'dane', authorized: false } },
    });
    expect(outcome?.kind === 'deferred' && outcome.reason).toContain(reason);
    expect(server.received).toEqual([]);
  });

  test('the server offers no TLS', async () => {
    const name = await serve(undefined);
    dns.tlsa(name, [3, 1, 1, tlsaDataOf(good.cert, 1, 1)]);

    expect(await send()).toMatchObject({ kind: 'deferred', isSiteTrouble: true });
    expect(server.received).toEqual([]);
  });

  test('the look-up of the record fails', async () => {
    const name = await serve(good);
    dns.trouble(name, 'servfail');

    expect(await send()).toMatchObject({ kind: 'deferred', detail: { enhancedCode: '4.4.3' } });
    expect(server.received).toEqual([]);
  });

  test('a connection to the same host is already open for a domain without DNSSEC', async () => {
    const name = await serve(good);
    dns.tlsa(name, [3, 1, 1, tlsaDataOf(misnamed.cert, 1, 1)]).mx('unsigned.test', [10, mailHost]);
    const transport = transportTo(server.port);

    const [unsigned] = await transport.deliver(outboundMessage({ recipients: ['ann@unsigned.test'] }));
    const [signed] = await transport.deliver(outboundMessage({ recipients: [`ann@${domain}`] }));

    expect(unsigned).toMatchObject({ kind: 'delivered', detail: { tls: { level: 'opportunistic' } } });
    expect(signed).toMatchObject({ kind: 'deferred', isSiteTrouble: true, detail: { tls: { level: 'dane' } } });
  });

  test.each([good, undefined])(
    'its usage is unsupported: TLS is required, and any certificate is accepted',
    async (certificate) => {
      dns.tlsa(await serve(certificate), [0, 1, 1, Buffer.alloc(32)]);

      expect(await send()).toMatchObject(
        certificate === undefined
          ? { kind: 'deferred' }
          : { kind: 'delivered', detail: { tls: { level: 'opportunistic' } } },
      );
    },
  );
});

describe('a TLSA record is ignored', () => {
  test.each<[string, boolean, boolean]>([
    ['if DANE is not enabled', true, false],
    ['if the resolver did not authenticate it', false, true],
  ])('%s', async (_, isVouchedFor, dane) => {
    const name = await serve(good, isVouchedFor);
    dns.tlsa(name, [3, 1, 1, Buffer.alloc(32)]);

    expect(await send({ dane })).toMatchObject({
      kind: 'delivered',
      detail: { tls: { level: 'opportunistic', authorized: false } },
    });
  });

  test.each(['domain', 'host'])('if the resolver did not authenticate the records of the %s', async (which) => {
    const server2 = await DnsServer.listen();
    open.push(server2);
    await serve(good);
    const name = `_${server.port}._tcp.${mailHost}`;
    server2
      .mx(domain, [10, mailHost])
      .a(mailHost, '127.0.0.2')
      .authenticate(which === 'host' ? domain : mailHost, name);
    server2.tlsa(name, [3, 1, 1, Buffer.alloc(32)]);
    dns = server2;

    expect(await send()).toMatchObject({ kind: 'delivered', detail: { tls: { level: 'opportunistic' } } });
  });
});
