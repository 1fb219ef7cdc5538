import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { InMemoryDnsResolver, SystemDnsResolver } from '#domains';
import type { StsPolicyStore } from '../../libs/mx/src/application/ports/sts-policy-store.port.js';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import { DnsCache } from '../../libs/mx/src/infrastructure/sites/dns-cache.js';
import { InMemoryStsPolicyStore } from '../support/fakes/in-memory-sts-policy-store.js';
import { StsPolicies, StsPolicySource } from '../../libs/mx/src/infrastructure/sts/sts-policies.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { DnsServer } from '../support/servers/dns-server.js';
import { StsPolicyServer } from '../support/servers/sts-policy-server.js';
import { TestAuthority } from '../support/servers/test-authority.js';
import { TlsMailServer } from '../support/servers/tls-mail-server.js';
import { until } from '../support/runner/until.js';

const authority = new TestAuthority();
const good = authority.issue('mx.site.test');
const day = 86_400;

let dns: DnsServer;
let policies: StsPolicyServer;
let server: TlsMailServer;
let store: StsPolicyStore;
let open: { close(): Promise<void> }[];

beforeEach(async () => {
  store = new InMemoryStsPolicyStore();
  dns = await DnsServer.listen();
  policies = await StsPolicyServer.listen(authority.issue('mta-sts.site.test'));
  open = [dns, policies];
  dns.mx('site.test', [10, 'mx.site.test']).a('mx.site.test', '127.0.0.2');
  dns.txt('_mta-sts.site.test', 'v=STSv1; id=1').a('mta-sts.site.test', '127.0.0.1');
  policies.policy = policy('enforce');
});

afterEach(async () => {
  for (const thing of open.reverse()) await thing.close();
});

function policy(mode: string, mx = 'mx.site.test', maxAge = day): string {
  return `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: ${maxAge}\r\n`;
}

async function serve(certificate: typeof good | undefined): Promise<void> {
  server = await TlsMailServer.listen('127.0.0.2', 0, certificate);
  open.push(server);
}

interface Circumstances {
  readonly waitMs?: number;
  readonly mayConnect?: (address: string) => boolean;
  readonly now?: () => Date;
  readonly dane?: boolean;
}

/** The transport of a program that has just started: it knows only the policies in the store. */
function start({ waitMs, mayConnect = () => true, now, dane }: Circumstances = {}): MxDeliveryTransport {
  const resolver = new SystemDnsResolver({ servers: [dns.address], timeoutMs: 2_000, tries: 1 });
  const transport = new MxDeliveryTransport(resolver, {
    port: server.port,
    heloName: 'client.test',
    allowPrivateDestinations: true,
    backOff: 1,
    dane,
    tlsOptions: { ca: authority.cert },
    stsPolicies: (cache) => {
      const source = new StsPolicySource(resolver, { mayConnect, ca: authority.cert, port: policies.port });
      return new StsPolicies(cache, source, store, { waitMs, now });
    },
  });
  open.push(transport);
  return transport;
}

async function send(transport = start(), tls?: 'enforced') {
  const [outcome] = await transport.deliver(outboundMessage({ recipients: ['ann@Site.test'], tls }));
  return outcome;
}

const reasonOf = (outcome: Awaited<ReturnType<typeof send>>) => outcome?.kind === 'deferred' && outcome.reason;

describe('an enforced policy', () => {
  test.each(['mx.site.test', '*.site.test'])('lets mail through to a host that it names as %s', async (name) => {
    await serve(good);
    policies.policy = policy('enforce', name);

    expect(await send()).toMatchObject({ kind: 'delivered', detail: { tls: { level: 'mta-sts', authorized: true } } });
    expect(policies.fetches).toBe(1);
  });

  test.each<[string, typeof good | undefined, string]>([
    ['whose certificate is not trusted', new TestAuthority('Other').issue('mx.site.test'), 'not accepted'],
    ['whose certificate is for another name', authority.issue('other.test'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['whose certificate has expired', authority.issue('mx.site.test', new Date(Date.now() - 1_000)), 'EXPIRED'],
    ['without TLS', undefined, 'does not offer STARTTLS'],
  ])('keeps mail from a host %s', async (_, certificate, reason) => {
    await serve(certificate);

    const outcome = await send();

    expect(outcome).toMatchObject({ kind: 'deferred', isSiteTrouble: true });
    expect(reasonOf(outcome)).toContain(reason);
    expect(server.received).toEqual([]);
  });

  test('holds where no TLSA record of the host can be used', async () => {
    await serve(new TestAuthority('Other').issue('mx.site.test'));
    const tlsaName = `_${server.port}._tcp.mx.site.test`;
    dns.authenticate('site.test', 'mx.site.test', tlsaName).tlsa(tlsaName, [1, 1, 1, Buffer.alloc(32)]);

    expect(await send(start({ dane: true }))).toMatchObject({
      kind: 'deferred',
      isSiteTrouble: true,
      detail: { tls: { level: 'mta-sts', authorized: false } },
    });
    expect(server.received).toEqual([]);
  });

  test('keeps mail from hosts that it does not name, and says so', async () => {
    await serve(good);
    policies.policy = policy('enforce', 'other.test');

    const outcome = await send();

    expect(outcome).toMatchObject({ kind: 'deferred', isSiteTrouble: true });
    expect(reasonOf(outcome)).toBe('The MTA-STS policy of Site.test allows none of its mail hosts (mx.site.test)');
    expect(server.received).toEqual([]);
  });

  test('skips a preferred host that it does not name', async () => {
    await serve(good);
    dns.mx('site.test', [1, 'first.test'], [10, 'mx.site.test']).a('first.test', '127.0.0.2');

    expect(await send()).toMatchObject({ kind: 'delivered', detail: { host: 'mx.site.test' } });
  });
});

test('a policy in testing mode lets mail through, and the trace has the failure that would have held it back', async () => {
  policies.policy = policy('testing', 'other.test');
  await serve(good);
  expect(await send()).toMatchObject({
    kind: 'delivered',
    detail: { tls: { level: 'opportunistic', policyFailure: 'the policy does not name mx.site.test' } },
  });
});

test.each<[string, typeof good | undefined, string | undefined]>([
  ['an untrusted certificate', authority.issue('other.test'), 'the certificate is not accepted: ERR_TLS_CERT_ALTNAME'],
  ['no TLS', undefined, 'not encrypted: the server does not offer STARTTLS'],
  ['nothing', good, undefined],
])('a policy in testing mode reports %s', async (_, certificate, failure) => {
  policies.policy = policy('testing');
  await serve(certificate);

  const outcome = await send();

  expect(outcome?.kind).toBe('delivered');
  const reported = outcome?.detail.tls?.policyFailure;
  expect(failure === undefined ? reported : reported?.startsWith(failure)).toBe(
    failure === undefined ? undefined : true,
  );
});

describe('there is no policy', () => {
  const untrusted = new TestAuthority('Other').issue('mx.site.test');

  test.each<[string, () => void]>([
    ['without the TXT record', () => void dns.remove('_mta-sts.site.test')],
    ['if the look-up of the TXT record fails', () => void dns.trouble('_mta-sts.site.test', 'servfail')],
    ['with two TXT records', () => void dns.txt('_mta-sts.site.test', 'v=STSv1; id=1', 'v=STSv1; id=2')],
    ['if its mode is none', () => void (policies.policy = policy('none'))],
    ['if its file is not a policy', () => void (policies.policy = '<html>')],
    ['if its host does not exist', () => void dns.remove('mta-sts.site.test')],
    ['behind a redirect', () => void (policies.answer = (_, to) => to.writeHead(302, { location: '/x' }).end())],
    [
      'with a file of another content type',
      () =>
        void (policies.answer = (_, to) => to.writeHead(200, { 'content-type': 'text/html' }).end(policy('enforce'))),
    ],
    [
      'with a file that is too large',
      () =>
        void (policies.answer = (_, to) =>
          to.writeHead(200, { 'content-type': 'text/plain' }).end(policy('enforce') + 'x: y\r\n'.repeat(20_000))),
    ],
  ])('%s', async (_, prepare) => {
    prepare();
    await serve(untrusted);

    expect(await send()).toMatchObject({
      kind: 'delivered',
      detail: { tls: { level: 'opportunistic', authorized: false } },
    });
  });

  test('if the certificate of its host is for another name', async () => {
    await policies.close();
    policies = await StsPolicyServer.listen(authority.issue('other.test'));
    policies.policy = policy('enforce', 'other.test');
    open.splice(1, 1, policies);
    await serve(good);

    expect(await send()).toMatchObject({ kind: 'delivered' });
    expect(policies.fetches).toBe(0);
  });

  test('if its host has a private address', async () => {
    await serve(untrusted);

    expect(await send(start({ mayConnect: () => false }))).toMatchObject({ kind: 'delivered' });
    expect(policies.fetches).toBe(0);
  });
});

describe('a stored policy', () => {
  const other = new TestAuthority('Other').issue('mx.site.test');

  test('is not fetched again, even after a restart', async () => {
    await serve(good);
    const program = start();
    await send(program);
    await send(program);
    await send(start());

    expect(policies.fetches).toBe(1);
  });

  test('is replaced if the TXT record has another id', async () => {
    await serve(other);
    expect(await send()).toMatchObject({ kind: 'deferred' });

    dns.txt('_mta-sts.site.test', 'v=STSv1; id=2');
    policies.policy = policy('none');
    expect(await send()).toMatchObject({ kind: 'delivered' });
    expect(policies.fetches).toBe(2);
  });

  test.each<[string, () => void]>([
    ['its TXT record is gone', () => void dns.remove('_mta-sts.site.test')],
    [
      'the newer one cannot be fetched',
      () => {
        dns.txt('_mta-sts.site.test', 'v=STSv1; id=2');
        policies.answer = (_, to) => to.writeHead(503).end();
      },
    ],
    ['the look-up of its TXT record fails', () => void dns.trouble('_mta-sts.site.test', 'servfail')],
  ])('stays in force if %s', async (_, prepare) => {
    await serve(good);
    await send();
    await serve(other);
    prepare();

    expect(await send()).toMatchObject({ kind: 'deferred', detail: { tls: { level: 'mta-sts' } } });
  });

  test('ends once its max_age has passed', async () => {
    await serve(good);
    await send();
    dns.remove('_mta-sts.site.test');
    policies.policy = '';

    const later = () => new Date(Date.now() + (day + 1) * 1_000);
    expect(await send(start({ now: later }))).toMatchObject({
      kind: 'delivered',
      detail: { tls: { level: 'opportunistic' } },
    });
  });

  test('is fetched again after half of its max_age', async () => {
    await serve(good);
    await send();
    await send(start({ now: () => new Date(Date.now() + (day / 2 + 60) * 1_000) }));

    expect(policies.fetches).toBe(2);
  });
});

test('mail does not wait for a slow policy, which applies to the mail after its arrival', async () => {
  await serve(new TestAuthority('Other').issue('mx.site.test'));
  let respond = (): void => undefined;
  policies.answer = (_, to) =>
    (respond = () => void to.writeHead(200, { 'content-type': 'text/plain' }).end(policy('enforce')));
  const program = start({ waitMs: 50 });

  expect(await send(program)).toMatchObject({ kind: 'delivered' });
  respond();
  await until(async () => (await send(program))?.kind === 'deferred');
});

test('a policy is found while a team has mail for a thousand domains whose policy hosts are silent', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(policies.port, '127.0.0.9', resolve));
  const records = new InMemoryDnsResolver();
  for (const name of ['site.test', ...Array.from({ length: 1_100 }, (_, no) => `silent${no}.test`)]) {
    records.set(`_mta-sts.${name}`, { txt: ['v=STSv1; id=1'] });
    records.set(`mta-sts.${name}`, { a: [name === 'site.test' ? '127.0.0.1' : '127.0.0.9'] });
  }
  const source = new StsPolicySource(records, { mayConnect: () => true, ca: authority.cert, port: policies.port });
  const found = new StsPolicies(new DnsCache(records), source, store, { waitMs: 5_000 });
  const others = Array.from({ length: 1_100 }, (_, no) => found.policyOf(`silent${no}.test`, 'one'));

  const policyOfSite = await found.policyOf('site.test', 'other');
  await Promise.all(others);
  found.close();
  silent.close();

  expect(policyOfSite).toMatchObject({ mode: 'enforce' });
});

test('a sending domain that enforces TLS does so without a policy as well', async () => {
  await serve(undefined);
  dns.remove('_mta-sts.site.test');

  expect(await send(start(), 'enforced')).toMatchObject({ kind: 'bounced', detail: { enhancedCode: '5.7.10' } });
  expect(server.received).toEqual([]);
});
