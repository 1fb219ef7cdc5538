import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { NotAttemptedError } from '#delivery';
import { domainOf } from '#kernel';
import { InMemoryDnsResolver } from '#domains';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import { RoutesFile } from '../../libs/mx/src/infrastructure/routes/operator-rules.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { NarrowMailServer } from '../support/servers/narrow-mail-server.js';
import { TlsMailServer } from '../support/servers/tls-mail-server.js';
import { until } from '../support/runner/until.js';

const dns = new InMemoryDnsResolver();
let directory: string;
let server: TlsMailServer;
let narrow: NarrowMailServer | undefined;
let transport: MxDeliveryTransport;
let now = 0;

async function writeRules(rules: object): Promise<void> {
  await writeFile(join(directory, 'routes.json'), JSON.stringify(rules));
  now += 10_000;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-sources-'));
  server = await TlsMailServer.listen('127.0.0.9', 0, undefined);
  dns.set('site.test', { a: ['127.0.0.9'] });
  dns.set('both.test', { aaaa: ['::1'], a: ['127.0.0.9'] });
  await writeRules({});
  const rules = new RoutesFile(
    join(directory, 'routes.json'),
    undefined,
    (error) => {
      throw error;
    },
    () => now,
  );
  transport = start(rules);
});

function start(rules: RoutesFile): MxDeliveryTransport {
  return new MxDeliveryTransport(dns, {
    port: server.port,
    heloName: 'client.test',
    allowPrivateDestinations: true,
    backOff: 1,
    rules,
  });
}

afterEach(async () => {
  narrow?.release();
  await transport.close();
  await server.close();
  await narrow?.close();
  narrow = undefined;
  await rm(directory, { recursive: true });
});

const send = (sender: string, to = 'ann@site.test') =>
  transport.deliver(outboundMessage({ lane: `mx:${domainOf(to)}`, mailFrom: `bounces@${sender}`, recipients: [to] }));
const seen = () => server.received.map(({ clientAddress, heloName }) => [clientAddress, heloName]);
const pools = {
  acme: [
    { helo: 'out1.acme.test', addresses: ['127.0.0.21'] },
    { helo: 'out2.acme.test', addresses: ['127.0.0.22'] },
  ],
  others: [{ helo: 'out.others.test', addresses: ['127.0.0.23'] }],
};

test('mail leaves from the addresses of its sender’s pool in turn, each with its own HELO name', async () => {
  await writeRules({ pools, sources: [{ senders: 'acme.test', pool: 'acme' }, { pool: 'others' }] });
  for (const sender of ['send.acme.test', 'acme.test', 'acme.test', 'else.test']) await send(sender);

  expect(seen().sort()).toEqual([
    ['127.0.0.21', 'out1.acme.test'],
    ['127.0.0.21', 'out1.acme.test'],
    ['127.0.0.22', 'out2.acme.test'],
    ['127.0.0.23', 'out.others.test'],
  ]);
});

test('a change of the file takes effect without a restart', async () => {
  await send('acme.test');
  await writeRules({ pools, sources: [{ pool: 'others' }] });
  await send('acme.test');

  expect(seen()).toEqual([
    ['127.0.0.1', 'client.test'],
    ['127.0.0.23', 'out.others.test'],
  ]);
});

test('a host is reached over the family of addresses that the source has', async () => {
  await writeRules({ pools, sources: [{ pool: 'others' }] });

  expect(await send('acme.test', 'ann@both.test')).toMatchObject([
    { kind: 'delivered', detail: { address: `127.0.0.9:${server.port}` } },
  ]);
});

test('mail is not attempted if no source address has the family of the host', async () => {
  await writeRules({ pools: { six: [{ helo: 'six.test', addresses: ['::1'] }] }, sources: [{ pool: 'six' }] });

  expect(await send('acme.test')).toMatchObject([
    {
      kind: 'deferred',
      category: 'our-fault',
      reason: 'No address of the pool six can reach the mail hosts, which have only the other IP version',
    },
  ]);
});

test('a source address that this machine does not have defers the mail, and is not counted against the site', async () => {
  const foreign = { helo: 'out.test', addresses: ['192.0.2.77'] };
  await writeRules({ pools: { none: [foreign] }, sources: [{ senders: 'acme.test', pool: 'none' }] });

  expect(await send('acme.test')).toMatchObject([
    { kind: 'deferred', isSiteTrouble: false, reason: 'This machine cannot send from 192.0.2.77' },
  ]);
  expect(await send('else.test')).toMatchObject([{ kind: 'delivered' }]);
});

test('the connection limit of a site is learned for each source address', async () => {
  narrow = await NarrowMailServer.listen('127.0.0.10', server.port, 1);
  dns.set('narrow.test', { a: ['127.0.0.10'] });
  await writeRules({ pools, sources: [{ senders: 'acme.test', pool: 'others' }] });

  const deliveries = Array.from({ length: 6 }, () => send('acme.test', 'ann@narrow.test'));
  const limits = await until(() => {
    const found = transport.limitsOf('mx:narrow.test');
    return found?.connections.current === 1 && found.heldBy === 'connection_limit' && found;
  });
  expect(limits).toMatchObject({ source: 'out.others.test', connections: { most: 5 } });
  expect(transport.connectionLimitOf('narrow.test')).toBeUndefined();

  narrow.release();
  expect((await Promise.all(deliveries)).flat().every(({ kind }) => kind === 'delivered')).toBe(true);
});

test('mail that waits for a source that is retired is handed back, and deliveries under way end', async () => {
  narrow = await NarrowMailServer.listen('127.0.0.10', server.port, 1);
  dns.set('narrow.test', { a: ['127.0.0.10'] });
  await writeRules({ pools, sources: [{ senders: 'acme.test', pool: 'others' }] });

  const deliveries = Array.from({ length: 6 }, () => send('acme.test', 'ann@narrow.test'));
  await until(() => transport.limitsOf('mx:narrow.test')?.connections.current === 1);
  transport.retire(new Set(['out.others.test 127.0.0.23 ']));
  const ends = Promise.allSettled(deliveries);
  narrow.release();
  const settled = await ends;
  const returned = settled.filter(({ status }) => status === 'rejected');
  expect(returned.length).toBeGreaterThan(0);
  expect(returned).toEqual(returned.map(() => ({ status: 'rejected', reason: expect.any(NotAttemptedError) })));
  expect(settled.length - returned.length).toBeGreaterThan(0);
});
