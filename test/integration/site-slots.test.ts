import { once } from 'node:events';
import { AddressInfo, connect, createServer, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { InMemoryDnsResolver } from '#domains';
import { SessionLocks } from '#postgres/database';
import { NotAttemptedError } from '../../libs/delivery/src/domain/attempt.js';
import { PostgresSiteSlots } from '../../libs/mx/src/infrastructure/persistence/postgres-site-sharing.js';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import type { SiteSlots } from '../../libs/mx/src/infrastructure/sites/site-sharing.js';
import { DirectConnection } from '#postgres/database';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';

let database: TestDatabase;
let admin: Client;
let ours: SessionLocks;
let others: SessionLocks;

beforeEach(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  [ours, others] = [1, 2].map(() => new SessionLocks(new DirectConnection(database.url))) as [
    SessionLocks,
    SessionLocks,
  ];
});

afterEach(async () => {
  await ours.onApplicationShutdown();
  await others.onApplicationShutdown();
  await admin.end();
  await database.drop();
});

const sessions = async (): Promise<number> => {
  const { rowCount } = await admin.query(
    `SELECT FROM pg_stat_activity WHERE application_name = 'postrider-locks' AND datname = current_database()`,
  );
  return rowCount ?? 0;
};

test('locks survive the loss of their connection, and are released on the connection that holds them', async () => {
  expect(await ours.takeBelow(7, 1)).toBe(0);
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'postrider-locks' AND datname = current_database()`,
  );

  await until(async () => {
    await Promise.all(Array.from({ length: 5 }, () => ours.takeBelow(8, 0).catch(() => undefined)));
    return (await sessions()) > 0;
  });

  expect(await others.takeBelow(7, 1)).toBeUndefined();
  expect(await sessions()).toBe(2);
  await ours.release(7, 0);
  expect(await others.takeBelow(7, 1)).toBe(0);
});

class ImpatientLocks extends SessionLocks {
  protected override readonly answerMs = 500;
}

/** A proxy to the database that can stop forwarding without closing its connections. */
async function networkTo(url: string): Promise<{ url: string; freeze: () => void; close: () => void }> {
  const { host, port } = new Client({ connectionString: url });
  const sockets: Socket[] = [];
  const server = createServer((inside) => {
    const outside = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      from.on('error', () => undefined).pipe(to);
      sockets.push(from);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const through = new URL(url);
  through.searchParams.delete('host');
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.toString(),
    freeze: () => sockets.forEach((socket) => socket.unpipe().pause()),
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

test('a connection without replies is replaced by another', async () => {
  const network = await networkTo(database.url);
  const locks = new ImpatientLocks(new DirectConnection(network.url));
  try {
    expect(await locks.takeBelow(7, 1)).toBe(0);
    network.freeze();
    await expect(locks.takeBelow(7, 2)).rejects.toThrow();
    expect(await until(() => locks.takeBelow(7, 2).catch(() => undefined))).toBe(1);
    expect(await sessions()).toBe(2);
  } finally {
    await locks.onApplicationShutdown();
    network.close();
  }
});

async function transportWith(slots: SiteSlots): Promise<{ transport: MxDeliveryTransport; sink: SmtpSink }> {
  const sink = await SmtpSink.listen({ keep: true, host: '127.0.0.2' });
  const dns = new InMemoryDnsResolver();
  dns.set('site.test', { mx: [{ exchange: 'mx.site.test', preference: 10 }] });
  dns.set('mx.site.test', { a: ['127.0.0.2'] });
  const transport = new MxDeliveryTransport(dns, {
    port: sink.port,
    heloName: 'client.test',
    allowPrivateDestinations: true,
    backOff: 1,
    slots,
  });
  return { transport, sink };
}

test('mail that waits for a slot is returned untried when the program stops, and does not delay the stop', async () => {
  const theirs = new PostgresSiteSlots(others);
  for (let taken = 0; taken < 5; taken++) {
    expect(
      await theirs.take(
        'mx.site.test ',
        () => 5,
        () => true,
      ),
    ).toBeDefined();
  }
  const { transport, sink } = await transportWith(new PostgresSiteSlots(ours));
  const delivery = transport.deliver(outboundMessage({ lane: 'mx:site.test', recipients: ['ann@site.test'] }));
  const end = expect(delivery).rejects.toBeInstanceOf(NotAttemptedError);
  await until(() => transport.limitsOf('mx:site.test')?.heldBy === 'connection_limit');

  transport.withdraw();

  await end;
  await transport.close();
  await sink.close();
});

test('a site whose connections other workers hold is not in trouble, and the wait is not an attempt', async () => {
  const { transport, sink } = await transportWith({ take: async () => undefined });

  await expect(transport.deliver(outboundMessage({ recipients: ['ann@site.test'] }))).rejects.toBeInstanceOf(
    NotAttemptedError,
  );

  await transport.close();
  await sink.close();
});
