import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import { RelayDeliveryTransport } from '../../libs/smtp-client/src/one-host-delivery-transport.js';
import { relayOptionsFromUrl } from '../../libs/smtp-client/src/relay-url.js';
import { RoutedDeliveryTransport } from '../../libs/mx/src/infrastructure/routed-delivery-transport.js';
import { RoutesFile } from '../../libs/mx/src/infrastructure/routes/operator-rules.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

const heloName = 'client.test';
const troubles: unknown[] = [];
let directory: string;
let direct: SmtpSink;
let relay: SmtpSink;
let transport: RoutedDeliveryTransport;
let now = 0;

async function writeRoutes(text: string): Promise<void> {
  await writeFile(join(directory, 'routes.json'), text);
  now += 10_000;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-routes-'));
  direct = await SmtpSink.listen({ host: '127.0.0.2' });
  relay = await SmtpSink.listen({ host: '127.0.0.3' });
  const dns = new InMemoryDnsResolver();
  dns.set('up.test', { a: ['127.0.0.2'] });
  dns.set('blocked.test', { a: ['127.0.0.9'] });
  dns.set('rude.test', { a: ['127.0.0.4'] });
  await writeRoutes('{"routes":[]}');
  transport = new RoutedDeliveryTransport(
    new MxDeliveryTransport(dns, { port: direct.port, heloName, allowPrivateDestinations: true, backOff: 1 }),
    (url) => new RelayDeliveryTransport({ ...relayOptionsFromUrl(url), heloName }),
    new RoutesFile(
      join(directory, 'routes.json'),
      `smtp://127.0.0.3:${relay.port}`,
      (error) => troubles.push(error),
      () => now,
    ),
  );
});

afterEach(async () => {
  await transport.close();
  await direct.close();
  await relay.close();
  await rm(directory, { recursive: true });
});

const send = (to: string) => transport.deliver(outboundMessage({ recipients: [to] }));

test('a change of the file takes effect without a restart, and a broken file is ignored', async () => {
  await send('a@up.test');
  expect([direct.count, relay.count]).toEqual([1, 0]);

  await writeRoutes('{"routes":[{"recipients":"up.test","via":"relay"}]}');
  await send('a@up.test');
  expect([direct.count, relay.count]).toEqual([1, 1]);

  await writeRoutes('{"routes":');
  await send('a@up.test');
  expect([direct.count, relay.count, troubles.length]).toEqual([1, 2, 1]);
});

test('the relay gets only mail whose hosts accept no connection', async () => {
  await writeRoutes('{"routes":[{"via":"mx-or-relay"}]}');

  expect(await send('a@blocked.test')).toMatchObject([{ kind: 'delivered' }]);
  expect(await send('a@up.test')).toMatchObject([{ kind: 'delivered' }]);
  expect(await send('a@nowhere.test')).toMatchObject([{ kind: 'bounced' }]);
  expect([direct.count, relay.count]).toEqual([1, 1]);
});

test('the relay does not get mail whose host accepts a connection and then fails', async () => {
  const rude = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => rude.listen(direct.port, '127.0.0.4', resolve));
  await writeRoutes('{"routes":[{"via":"mx-or-relay"}]}');

  expect(await send('a@rude.test')).toMatchObject([{ kind: 'deferred', isSiteTrouble: true }]);
  expect(relay.count).toBe(0);
  await new Promise((resolve) => rude.close(resolve));
});
