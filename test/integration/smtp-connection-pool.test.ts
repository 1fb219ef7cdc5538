import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import type { DeliveryOutcome, OutboundMessage } from '../../libs/delivery/src/domain/attempt.js';
import { SmtpConnectionPool } from '../../libs/smtp-client/src/protocol/smtp-connection-pool.js';
import { RateLimit } from '../../libs/smtp-client/src/protocol/connection-limits.js';
import { openSmtpSession } from '../../libs/smtp-client/src/protocol/smtp-session.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { testCertificate } from '../support/servers/test-certificate.js';
import * as server from '../support/servers/scripted-smtp-server.js';
import {
  open,
  closeScripted,
  short,
  patient,
  scripted,
  verbs,
  deferred,
  delivered,
} from '../support/fakes/scripted-delivery.js';
import { stretched } from '../support/runner/stretched.js';

afterEach(closeScripted);

describe('the pool', () => {
  const many = (count: number, pool: SmtpConnectionPool): Promise<(readonly DeliveryOutcome[])[]> =>
    Promise.all(Array.from({ length: count }, () => pool.deliver(outboundMessage())));

  test('sends the next envelope together with the content before it', async () => {
    const { pool, peer } = await scripted({});

    await many(3, pool);

    expect(verbs(peer)).toEqual([
      'EHLO',
      ...['MAIL', 'RCPT', 'DATA', '.'],
      ...['MAIL', 'RCPT', 'DATA', '.'],
      ...['MAIL', 'RCPT', 'DATA', '.'],
    ]);
    expect(peer.connectionCount).toBe(1);
  });

  test('never opens more connections than allowed', async () => {
    const { pool, peer } = await scripted({}, { connections: 3 });

    await many(100, pool);

    expect(peer.connectionCount).toBeLessThanOrEqual(3);
  });

  test('replaces a connection after its share of messages', async () => {
    const { pool, peer } = await scripted({}, { messagesPerConnection: 4 });

    const outcomes = await many(10, pool);

    expect(outcomes).toEqual(new Array(10).fill([delivered]));
    expect(peer.connectionCount).toBe(3);
  });

  test('defers all that wait when no connection can be made', async () => {
    const { pool, peer } = await scripted({});
    await peer.close();

    const outcomes = await many(5, pool);

    expect(outcomes).toEqual(new Array(5).fill([deferred()]));
    expect((outcomes[0]?.[0] as { reason: string }).reason).toBe(
      'mx.example.test: the host refused the connection: nothing listens there (ECONNREFUSED) while connecting',
    );
  });

  test('connects again after a failure', async () => {
    const { pool } = await scripted({ banner: [server.reply('421 Busy'), server.reply('220 Hello')] });

    expect(await pool.deliver(outboundMessage())).toEqual([deferred()]);
    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
  });

  test('puts back what a closing connection had taken and not answered', async () => {
    const { pool, peer } = await scripted({
      dot: [server.replyAndDisconnect('250 Queued'), server.reply('250 Queued')],
    });

    const outcomes = await many(2, pool);

    expect(outcomes).toEqual([[delivered], [delivered]]);
    expect(peer.connectionCount).toBe(2);
  });

  test('puts a message back once, not for ever', async () => {
    const { pool, peer } = await scripted({
      mail: [server.reply('250 OK'), server.disconnect],
      dot: server.reply('250 Queued'),
    });

    const outcomes = await many(2, pool);

    expect(outcomes).toEqual([[delivered], [deferred()]]);
    expect(peer.connectionCount).toBe(2);
  });

  test.each([
    [
      'at MAIL',
      { mail: [server.reply('250 OK'), server.replyAndDisconnect('421 4.4.2 Too long'), server.reply('250 OK')] },
    ],
    [
      'at MAIL, in words',
      {
        mail: [
          server.reply('250 OK'),
          server.replyAndDisconnect('421 Max message per connection reached'),
          server.reply('250 OK'),
        ],
      },
    ],
    [
      'at RCPT',
      { rcpt: [server.reply('250 OK'), server.replyAndDisconnect('421 4.4.2 Session limit'), server.reply('250 OK')] },
    ],
    [
      'at DATA',
      { data: [server.reply('354 Go'), server.replyAndDisconnect('421 4.3.2 Restarting'), server.reply('354 Go')] },
    ],
  ])('takes a new connection where a server ends a session that it has used, %s', async (_, script) => {
    for (const ehlo of [undefined, server.ehlo('8BITMIME')]) {
      const { pool, peer } = await scripted(ehlo === undefined ? script : { ...script, ehlo });

      expect(await many(3, pool)).toEqual(new Array(3).fill([delivered]));
      expect(peer.connectionCount).toBe(2);
    }
  });

  test('a message whose first new connection ends as well is deferred', async () => {
    const mail = [server.reply('250 OK'), server.replyAndDisconnect('421 4.4.2 Too long')];
    const { pool, peer } = await scripted({ mail: [...mail, server.replyAndDisconnect('421 4.4.2 Too long')] });

    expect(await many(2, pool)).toEqual([[delivered], [deferred()]]);
    expect(peer.connectionCount).toBe(2);
  });

  test('a session that ends because of load asks for less, also if it was used before', async () => {
    const mail = [server.reply('250 OK'), server.replyAndDisconnect('421 4.7.0 Unexpected volume')];
    const { pool, peer } = await scripted({ mail });

    expect(await many(2, pool)).toEqual([[delivered], [deferred()]]);
    expect(peer.connectionCount).toBe(1);
  });

  test('a message is not put back onto another connection that has carried as many', async () => {
    const sink = await SmtpSink.listen({ messagesPerConnection: 5 });
    const options = { host: '127.0.0.1', port: sink.port, heloName: 'client.test', connections: 4, timeouts: patient };
    const pool = new SmtpConnectionPool(options);
    open.push(sink, pool);

    expect(await many(200, pool)).toEqual(new Array(200).fill([delivered]));
  });

  test('a recipient that was refused keeps its outcome when the rest goes over a new connection', async () => {
    const rcpt = ['250 OK', '550 5.1.1 No such user', '250 OK'].map((text) => server.reply(text));
    const data = [server.reply('354 Go'), server.replyAndDisconnect('421 4.4.2 Too long'), server.reply('354 Go')];
    const { pool, peer } = await scripted({ rcpt, data });
    await pool.deliver(outboundMessage());

    const outcomes = await pool.deliver(outboundMessage({ recipients: ['gone@example.test', 'ann@example.test'] }));

    expect(outcomes).toMatchObject([{ kind: 'bounced', category: 'bad-address' }, delivered]);
    expect(verbs(peer).filter((verb) => verb === 'RCPT')).toHaveLength(4);
  });

  test('loses no message where a server closes an idle connection', async () => {
    const { pool } = await scripted({ dot: [server.replyAndDisconnect('250 Queued'), server.reply('250 Queued')] });

    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
  });

  test('says QUIT when idle for long enough', async () => {
    const { pool, peer } = await scripted({}, { timeouts: { ...patient, idle: short } });
    await pool.deliver(outboundMessage());

    while (!pool.isEmpty) await new Promise((resolve) => setImmediate(resolve));

    expect(verbs(peer).at(-1)).toBe('QUIT');
  });

  test('finishes what it has before it closes', async () => {
    const { pool, peer } = await scripted({}, { connections: 2, messagesPerConnection: 3 });
    const underWay = many(20, pool);

    await pool.close();

    expect(await underWay).toEqual(new Array(20).fill([delivered]));
    await expect(pool.deliver(outboundMessage())).rejects.toThrow('closed');
    expect(pool.isEmpty).toBe(true);
    expect(peer.contents).toHaveLength(20);
  });

  test('waits for no greeting when it closes: there is nothing to send any more', async () => {
    const { pool, peer } = await scripted({ banner: server.silence });
    const waiting = pool.deliver(outboundMessage());
    while (peer.connectionCount === 0) await new Promise((resolve) => setImmediate(resolve));

    pool.withdraw();
    await expect(waiting).rejects.toThrow('Nothing was sent');
    const closedAt = performance.now();
    await pool.close();

    expect(performance.now() - closedAt).toBeLessThan(stretched(5_000));
  });

  test('sends the mail of others while that of one team waits for memory', async () => {
    const { pool } = await scripted({});
    let free!: () => void;
    const memory = new Promise<void>((resolve) => (free = resolve));
    const content: OutboundMessage['content'] = async () => {
      await memory;
      return outboundMessage().content();
    };
    const full = Array.from({ length: 20 }, () => pool.deliver({ ...outboundMessage({ teamId: 'full' }), content }));

    expect(await pool.deliver(outboundMessage({ teamId: 'good' }))).toEqual([delivered]);
    free();
    expect(await Promise.all(full)).toEqual(new Array(20).fill([delivered]));
  });

  test('refuses a HELO name that is a second command', () => {
    expect(() => new SmtpConnectionPool({ host: '127.0.0.1', port: 25, heloName: 'a\r\nMAIL' })).toThrow(RangeError);
  });
});

// The second is just too large to be copied, and too small to fill the buffer of the socket.
test.each([100, 16_380, 100_000])('%i bytes are released once they have been sent, before the reply', async (size) => {
  let released!: () => void;
  const release = new Promise<void>((resolve) => (released = resolve));
  const onData: SMTPServerOptions['onData'] = (stream, _session, done) =>
    stream.resume().on('end', () => void release.then(() => done()));
  const peer = new SMTPServer({ ...testCertificate, authOptional: true, disableReverseLookup: true, onData });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const { port } = peer.server.address() as AddressInfo;
  const timeouts = { ...patient, dataTermination: 2_000 };
  const pool = new SmtpConnectionPool({ host: '127.0.0.1', port, heloName: 'client.test', timeouts });
  open.push({ close: () => new Promise((resolve) => peer.close(() => resolve())) }, pool);
  const bytes = Buffer.from(`${'x'.repeat(size - 2)}\r\n`);
  const content: OutboundMessage['content'] = async () => ({ bytes, isInDemand: false, release: released });

  expect(await pool.deliver({ ...outboundMessage(), size, content })).toEqual([delivered]);
});

test('no connection is opened as long as no message may go over it', async () => {
  const sink = await SmtpSink.listen();
  let now = 0;
  const rate = new RateLimit(6_000, () => now);
  while (rate.wait() === 0) rate.take();
  const options = { host: '127.0.0.1', port: sink.port, heloName: 'client.test' };
  let opened = 0;
  const openCounted = (): ReturnType<typeof openSmtpSession> => {
    opened++;
    return openSmtpSession(options);
  };
  const pool = new SmtpConnectionPool({ ...options, rate, open: openCounted });
  open.push(sink, pool);

  const delivery = pool.deliver(outboundMessage());
  expect([opened, pool.isHeldBy]).toEqual([0, 'rate']);
  now += 10;

  expect(await delivery).toMatchObject([{ kind: 'delivered' }]);
  expect(opened).toBe(1);
});
