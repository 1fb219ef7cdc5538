import { afterEach, describe, expect, test } from '@jest/globals';
import type { DeliveryOutcome } from '../../libs/delivery/src/domain/delivery-outcome.js';
import type { OutboundMessage } from '../../libs/delivery/src/domain/outbound-message.js';
import { SmtpConnectionPool } from '../../libs/smtp-client/src/protocol/smtp-connection-pool.js';
import type { SmtpPoolOptions } from '../../libs/smtp-client/src/protocol/smtp-pool-options.js';
import { RateLimit } from '../../libs/smtp-client/src/protocol/rate-limit.js';
import { openSmtpSession } from '../../libs/smtp-client/src/protocol/smtp-session.js';
import type { SmtpTimeouts } from '../../libs/smtp-client/src/protocol/smtp-options.js';
import { outboundMessage } from '../support/delivery-messages.js';
import { SmtpSink } from '../support/smtp-sink.js';
import * as server from '../support/scripted-smtp-server.js';
import { ScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { Script } from '../support/scripted-smtp-server.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

const short = 60;
const timeouts: SmtpTimeouts = {
  connect: short,
  banner: short,
  ehlo: short,
  starttls: short,
  auth: short,
  mail: short,
  rcpt: short,
  dataInitiation: short,
  dataBlock: short,
  dataTermination: short,
  quit: short,
  idle: 10_000,
};

const patient = Object.fromEntries(Object.keys(timeouts).map((phase) => [phase, 10_000])) as unknown as SmtpTimeouts;

async function scripted(
  script: Script,
  options: Partial<SmtpPoolOptions> = {},
): Promise<{ peer: ScriptedSmtpServer; pool: SmtpConnectionPool }> {
  const peer = await ScriptedSmtpServer.listen(script);
  const pool = new SmtpConnectionPool({
    host: '127.0.0.1',
    port: peer.port,
    hostName: 'mx.example.test',
    heloName: 'client.test',
    connections: 1,
    backOff: 1,
    timeouts: patient,
    ...options,
  });
  open.push(peer, pool);
  return { peer, pool };
}

const verbs = (peer: ScriptedSmtpServer): string[] => peer.commands.map((line) => line.split(' ')[0] as string);
const withoutPipelining = server.ehlo('8BITMIME');
const deferred = (outcomeUnknown = false): unknown => expect.objectContaining({ kind: 'deferred', outcomeUnknown });
const bounced = expect.objectContaining({ kind: 'bounced' });
const delivered = expect.objectContaining({ kind: 'delivered' });
const large = Buffer.alloc(20 * 1024 * 1024, `${'x'.repeat(62)}\r\n`);

describe('a server that refuses', () => {
  test.each<[string, Script, unknown]>([
    ['the session with 554', { banner: server.reply('554 5.3.2 Not today') }, deferred()],
    ['the session with 421', { banner: server.replyAndDisconnect('421 4.3.2 Busy') }, deferred()],
    ['EHLO temporarily', { ehlo: server.reply('451 4.3.0 Later') }, deferred()],
    ['EHLO and HELO', { ehlo: server.reply('500 What'), helo: server.reply('550 Bad name') }, deferred()],
    ['MAIL permanently', { mail: server.reply('550 5.1.8 Bad sender') }, bounced],
    ['MAIL temporarily', { mail: server.reply('451 4.3.0 Later') }, deferred()],
    ['MAIL without authentication', { mail: server.reply('530 5.7.0 Authenticate first') }, deferred()],
    ['RCPT permanently', { rcpt: server.reply('550 5.1.1 No such user'), data: server.reply('554 No') }, bounced],
    ['RCPT temporarily', { rcpt: server.reply('450 4.2.1 Greylisted'), data: server.reply('554 No') }, deferred()],
    ['DATA permanently', { data: server.reply('554 5.7.1 No') }, bounced],
    ['DATA temporarily', { data: server.reply('451 4.3.0 Later') }, deferred()],
    ['the message permanently', { dot: server.reply('554 5.7.1 Spam') }, bounced],
    ['the message temporarily', { dot: server.reply('451 4.7.1 Later') }, deferred()],
    ['everything after 421 at MAIL', { mail: server.replyAndDisconnect('421 4.7.0 Slow down') }, deferred()],
    ['everything after 421 at RCPT', { rcpt: server.replyAndDisconnect('421 4.7.0 Slow down') }, deferred()],
    ['everything after 421 at DATA', { data: server.replyAndDisconnect('421 4.7.0 Slow down') }, deferred()],
    ['the message with 421', { dot: server.replyAndDisconnect('421 4.3.0 Going down') }, deferred()],
  ])('%s', async (_, script, outcome) => {
    for (const ehlo of [undefined, withoutPipelining]) {
      const { pool } = await scripted(ehlo === undefined || 'ehlo' in script ? script : { ...script, ehlo });

      expect(await pool.deliver(outboundMessage())).toEqual([outcome]);
    }
  });

  test('the outcome has the reply and the host', async () => {
    const { pool, peer } = await scripted({ rcpt: server.reply('550-5.1.1 No\r\n550 5.1.1 such user') });

    const [outcome] = await pool.deliver(outboundMessage());

    expect(outcome).toMatchObject({
      kind: 'bounced',
      reason: 'mx.example.test said: 550 5.1.1 No such user (while sending RCPT TO)',
      detail: {
        host: 'mx.example.test',
        address: `127.0.0.1:${peer.port}`,
        replyCode: 550,
        enhancedCode: '5.1.1',
        replyText: 'No such user',
      },
    });
  });

  test('EHLO gets HELO', async () => {
    const { pool, peer } = await scripted({ ehlo: server.reply('502 5.5.1 Not implemented') });

    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
    expect(verbs(peer)).toEqual(['EHLO', 'HELO', 'MAIL', 'RCPT', 'DATA', '.']);
  });

  test('some recipients: each gets its own outcome', async () => {
    const { pool } = await scripted({
      rcpt: [server.reply('550 5.1.1 No'), server.reply('250 OK'), server.reply('452 4.5.3 Too many')],
    });

    const outcomes = await pool.deliver(outboundMessage({ recipients: ['a@x.test', 'b@x.test', 'c@x.test'] }));

    expect(outcomes).toEqual([bounced, delivered, deferred()]);
  });

  test('all recipients but accepts DATA gets an empty message, not the content', async () => {
    const { pool, peer } = await scripted({
      rcpt: [server.reply('550 5.1.1 No'), server.reply('250 OK')],
      dot: [server.reply('554 5.5.1 Nobody'), server.reply('250 OK')],
    });

    const outcomes = await Promise.all([pool.deliver(outboundMessage()), pool.deliver(outboundMessage())]);

    expect(outcomes).toEqual([[bounced], [delivered]]);
    expect(peer.contents).toEqual(['', 'Subject: Hello\r\n\r\nHi.\r\n']);
    expect(peer.connectionCount).toBe(1);
  });

  test('MAIL but accepts the rest: the refusal of MAIL counts', async () => {
    const { pool, peer } = await scripted({ mail: [server.reply('553 5.1.8 No'), server.reply('250 OK')] });

    const outcomes = await Promise.all([pool.deliver(outboundMessage()), pool.deliver(outboundMessage())]);

    expect(outcomes).toEqual([[bounced], [delivered]]);
    expect(peer.contents[0]).toBe('');
  });

  test.each([
    ['with PIPELINING', undefined, 'EHLO MAIL RCPT DATA RSET MAIL RCPT DATA .'],
    ['without PIPELINING', withoutPipelining, 'EHLO MAIL RCPT RSET MAIL RCPT DATA .'],
  ])('a transaction %s gets RSET before the next one', async (_, ehlo, expected) => {
    const { pool, peer } = await scripted({
      ...(ehlo && { ehlo }),
      rcpt: [server.reply('550 5.1.1 No'), server.reply('250 OK')],
      data: ehlo ? server.reply('354 Go') : [server.reply('554 5.5.1 Nobody'), server.reply('354 Go')],
    });

    const outcomes = await Promise.all([pool.deliver(outboundMessage()), pool.deliver(outboundMessage())]);

    expect(outcomes).toEqual([[bounced], [delivered]]);
    expect(verbs(peer).join(' ')).toBe(expected);
  });
});

describe('a server that falls silent or hangs up', () => {
  test.each(['banner', 'ehlo', 'mail', 'rcpt', 'data'] as const)('in %s, before it has the message', async (phase) => {
    for (const act of [server.silence, server.disconnect]) {
      for (const ehlo of [undefined, withoutPipelining]) {
        const script: Script = { ...(ehlo && { ehlo }), [phase]: act };
        const { pool } = await scripted(script, { timeouts: { ...patient, ...(act === server.silence && timeouts) } });

        expect(await pool.deliver(outboundMessage())).toEqual([deferred(false)]);
      }
    }
  });

  test.each([
    ['silence', server.silence],
    ['the end of the connection', server.disconnect],
    ['garbage', server.reply('what?')],
    ['354', server.reply('354 More')],
  ])('%s instead of the last reply: the outcome is unknown', async (_, act) => {
    const { pool } = await scripted({ dot: act }, { timeouts: { ...patient, dataTermination: short } });

    expect(await pool.deliver(outboundMessage())).toEqual([deferred(true)]);
  });

  test('recipients refused before that stay refused', async () => {
    const { pool } = await scripted({
      rcpt: [server.reply('550 5.1.1 No'), server.reply('250 OK')],
      dot: server.disconnect,
    });

    const outcomes = await pool.deliver(outboundMessage({ recipients: ['a@x.test', 'b@x.test'] }));

    expect(outcomes).toEqual([bounced, deferred(true)]);
  });

  test('in the middle of a large message: the outcome is known', async () => {
    const { pool } = await scripted({ data: server.interrupt('354 Go', 1_000_000) });

    expect(await pool.deliver(outboundMessage({ content: large }))).toEqual([deferred(false)]);
  });

  test('in the middle of a large message, and reads no more: the attempt times out, and the message is not buffered', async () => {
    const { pool } = await scripted(
      { data: server.stopReading('354 Go') },
      { timeouts: { ...patient, dataBlock: 2 * short } },
    );
    const before = process.memoryUsage();

    const outcomes = await pool.deliver(outboundMessage({ content: large }));

    expect(outcomes).toEqual([deferred(false)]);
    const after = process.memoryUsage();
    expect(after.external - before.external).toBeLessThan(4 * 1024 * 1024);
  });

  test('a refusal while the message is being sent counts', async () => {
    const { pool } = await scripted({ data: server.interrupt('354 Go', 1_000_000, '552 5.3.4 Too large') });

    const [outcome] = await pool.deliver(outboundMessage({ content: large }));

    expect(outcome).toMatchObject({ kind: 'bounced', detail: { replyCode: 552, enhancedCode: '5.3.4' } });
  });
});

describe('a server that breaks the protocol', () => {
  test.each<[string, Script]>([
    ['an endless banner', { banner: server.endless('220-welcome\r\n') }],
    ['an endless line', { banner: server.endless('x'.repeat(4_096)) }],
    ['an endless EHLO reply', { ehlo: server.endless('250-KEYWORD\r\n') }],
    ['an endless reply to RCPT', { rcpt: server.endless('550-no\r\n') }],
    ['a web server', { banner: server.reply('HTTP/1.1 400 Bad Request') }],
    ['two banners', { banner: server.reply('220 one\r\n220 two') }],
    ['354 to RCPT', { rcpt: server.reply('354 Go') }],
    ['250 to DATA', { data: server.reply('250 OK') }],
    ['a final reply before the message', { data: server.reply('354 Go\r\n250 2.0.0 Queued') }],
  ])('%s', async (name, script) => {
    const { pool, peer } = await scripted(script);

    const [outcome] = await pool.deliver(outboundMessage());

    expect(outcome).toMatchObject({ kind: 'deferred', outcomeUnknown: name.startsWith('a final reply') });
    expect(peer.bytesSent).toBeLessThan(16 * 1024 * 1024);
  });

  test('all replies at once, before their commands', async () => {
    const { pool } = await scripted({
      ehlo: withoutPipelining,
      mail: server.reply('250 OK\r\n250 OK\r\n354 Go\r\n250 OK'),
    });

    expect(await pool.deliver(outboundMessage())).toEqual([deferred()]);
  });

  test('replies of one byte at a time are accepted', async () => {
    const { pool } = await scripted({
      banner: server.dribble('220-hello\r\n220 there'),
      ehlo: server.dribble('250-scripted.test\r\n250 PIPELINING'),
      mail: server.dribble('250 2.1.0 OK'),
      rcpt: server.dribble('250 2.1.5 OK'),
      data: server.dribble('354 Go'),
      dot: server.dribble('250 2.0.0 Queued'),
    });

    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
  });

  test('endless bytes do not extend the deadline', async () => {
    const { pool } = await scripted(
      { rcpt: server.dribble('2'.repeat(60_000)) },
      { timeouts: { ...patient, rcpt: short } },
    );

    const [outcome] = await pool.deliver(outboundMessage());

    expect(outcome).toMatchObject({
      reason: 'mx.example.test: timed out while sending RCPT TO',
      outcomeUnknown: false,
    });
  });

  test('after an invalid reply the next message gets a new connection', async () => {
    const { pool, peer } = await scripted({ dot: [server.reply('what?'), server.reply('250 OK')] });

    const outcomes = await Promise.all([pool.deliver(outboundMessage()), pool.deliver(outboundMessage())]);

    expect(outcomes.flat().map((outcome) => outcome.kind)).toContain('deferred');
    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
    expect(peer.connectionCount).toBe(2);
  });
});

describe('what is sent', () => {
  test('SIZE and BODY=8BITMIME if offered and needed', async () => {
    const { pool, peer } = await scripted({});

    await pool.deliver(outboundMessage({ content: Buffer.from('\r\na\r\n') }));
    await pool.deliver(outboundMessage({ content: Buffer.from('\r\n\r\nä\r\n') }));

    expect(peer.commands.filter((line) => line.startsWith('MAIL'))).toEqual([
      'MAIL FROM:<bounces@sender.test> SIZE=5',
      'MAIL FROM:<bounces@sender.test> SIZE=8 BODY=8BITMIME',
    ]);
  });

  test('SMTPUTF8 if an address needs it, and a bounce if it is not offered', async () => {
    const recipients = ['jürgen@example.test', 'b@example.test'];
    const with8 = await scripted({ ehlo: server.ehlo('PIPELINING', 'SMTPUTF8') });
    const without = await scripted({});

    expect(await with8.pool.deliver(outboundMessage({ recipients }))).toEqual([delivered, delivered]);
    expect(await with8.pool.deliver(outboundMessage())).toEqual([delivered]);
    expect(await without.pool.deliver(outboundMessage({ recipients }))).toEqual([bounced, delivered]);
    expect(await without.pool.deliver(outboundMessage({ mailFrom: 'ö@a.test' }))).toEqual([bounced]);
    expect(with8.peer.commands.filter((line) => line.startsWith('MAIL'))).toEqual([
      'MAIL FROM:<bounces@sender.test> SMTPUTF8',
      'MAIL FROM:<bounces@sender.test>',
    ]);
  });

  test('SMTPUTF8 if the header needs it, and a bounce if it is not offered', async () => {
    const content = Buffer.from('From: jürgen@example.test\r\n\r\nBody\r\n');
    const with8 = await scripted({ ehlo: server.ehlo('PIPELINING', 'SMTPUTF8') });
    const without = await scripted({});

    expect(await with8.pool.deliver(outboundMessage({ content }))).toEqual([delivered]);
    expect(await without.pool.deliver(outboundMessage({ content }))).toEqual([
      expect.objectContaining({ kind: 'bounced', reason: expect.stringContaining('SMTPUTF8') }),
    ]);
    expect(with8.peer.commands).toContain('MAIL FROM:<bounces@sender.test> SMTPUTF8');
    expect(verbs(without.peer)).toEqual(['EHLO']);
  });

  test('nothing if the message is larger than the server accepts', async () => {
    const { pool, peer } = await scripted({ ehlo: server.ehlo('PIPELINING', 'SIZE 100') });

    expect(await pool.deliver(outboundMessage({ content: Buffer.alloc(101, 'x') }))).toEqual([bounced]);
    expect(verbs(peer)).toEqual(['EHLO']);
  });

  test.each([
    ['a bare LF', 'a\r\n\n.\r\nMAIL FROM:<x@y.test>\r\n'],
    ['LF.LF', 'a\n.\nMAIL FROM:<x@y.test>\r\n'],
    ['CR.CR', 'a\r.\rMAIL FROM:<x@y.test>\r\n'],
    ['CR at the end', 'a\r'],
  ])('nothing if the content has %s', async (_, content) => {
    const { pool, peer } = await scripted({});

    expect(await pool.deliver(outboundMessage({ content: Buffer.from(content) }))).toEqual([bounced]);
    expect(verbs(peer)).toEqual(['EHLO']);
  });

  test('no second command inside an address', async () => {
    const { pool, peer } = await scripted({});
    const evil = 'a@example.test>\r\nRCPT TO:<b@example.test';

    expect(await pool.deliver(outboundMessage({ recipients: [evil, 'c@example.test'] }))).toEqual([bounced, delivered]);
    expect(await pool.deliver(outboundMessage({ mailFrom: evil }))).toEqual([bounced]);
    expect(verbs(peer)).toEqual(['EHLO', 'MAIL', 'RCPT', 'DATA', '.']);
  });

  test('content that does not end with CRLF gets one', async () => {
    const { pool, peer } = await scripted({});

    await pool.deliver(outboundMessage({ content: Buffer.from('a\r\n\r\nb') }));

    expect(peer.contents).toEqual(['a\r\n\r\nb\r\n']);
  });
});

describe('TLS and authentication', () => {
  const credentials = { username: 'user', password: 'secret' };

  test('unencrypted bytes after the reply to STARTTLS end the connection', async () => {
    for (const injected of ['250 injected', '250-injec']) {
      const { pool, peer } = await scripted({
        ehlo: server.ehlo('PIPELINING', 'STARTTLS'),
        starttls: server.reply(`220 Go\r\n${injected}`),
      });

      expect(await pool.deliver(outboundMessage())).toEqual([deferred()]);
      expect(verbs(peer)).toEqual(['EHLO', 'STARTTLS']);
    }
  });

  test('required TLS that is not offered, refused or broken: nothing is sent', async () => {
    const offered = server.ehlo('STARTTLS');
    for (const script of [{}, { ehlo: offered }, { ehlo: offered, starttls: server.replyAndDisconnect('220 Go') }]) {
      const { pool, peer } = await scripted(script, { tls: 'required' });

      expect(await pool.deliver(outboundMessage())).toEqual([deferred()]);
      expect(verbs(peer)).not.toContain('MAIL');
    }
  });

  test('opportunistic TLS that is refused or broken: the mail is sent without TLS', async () => {
    const offered = server.ehlo('PIPELINING', 'STARTTLS');
    for (const script of [{ ehlo: offered }, { ehlo: offered, starttls: server.replyAndDisconnect('220 Go') }]) {
      const { pool } = await scripted(script);

      expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
    }
  });

  test('refused credentials: the mail is deferred, and the reason does not contain them', async () => {
    const ehlo = server.ehlo('AUTH LOGIN PLAIN');
    const { pool, peer } = await scripted({ ehlo, auth: server.reply('535 5.7.8 Bad credentials') }, { credentials });

    const [outcome] = await pool.deliver(outboundMessage());

    expect(outcome).toMatchObject({ kind: 'deferred', detail: { replyCode: 535, enhancedCode: '5.7.8' } });
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(peer.commands[1]).toBe('AUTH PLAIN AHVzZXIAc2VjcmV0');
  });

  test('AUTH LOGIN if PLAIN is not offered', async () => {
    const { pool, peer } = await scripted(
      {
        ehlo: server.ehlo('AUTH=LOGIN'),
        auth: [server.reply('334 VXNlcm5hbWU6'), server.reply('334 UGFzc3dvcmQ6'), server.reply('235 OK')],
      },
      { credentials },
    );

    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
    expect(peer.commands.slice(1, 4)).toEqual(['AUTH LOGIN', 'dXNlcg==', 'c2VjcmV0']);
  });

  test('no common mechanism: the mail is deferred', async () => {
    const { pool } = await scripted({ ehlo: server.ehlo('AUTH CRAM-MD5') }, { credentials });

    expect(await pool.deliver(outboundMessage())).toEqual([deferred()]);
  });
});

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

  test('replaces a connection after its maximum number of messages', async () => {
    const { pool, peer } = await scripted({}, { messagesPerConnection: 4 });

    const outcomes = await many(10, pool);

    expect(outcomes).toEqual(new Array(10).fill([delivered]));
    expect(peer.connectionCount).toBe(3);
  });

  test('defers all waiting messages if no connection can be made', async () => {
    const { pool, peer } = await scripted({});
    await peer.close();

    const outcomes = await many(5, pool);

    expect(outcomes).toEqual(new Array(5).fill([deferred()]));
    expect((outcomes[0]?.[0] as { reason: string }).reason).toBe('mx.example.test: ECONNREFUSED while connecting');
  });

  test('connects again after a failure', async () => {
    const { pool } = await scripted({ banner: [server.reply('421 Busy'), server.reply('220 Hello')] });

    expect(await pool.deliver(outboundMessage())).toEqual([deferred()]);
    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
  });

  test('sends a message again that a closing connection had taken without a reply', async () => {
    const { pool, peer } = await scripted({
      dot: [server.replyAndDisconnect('250 Queued'), server.reply('250 Queued')],
    });

    const outcomes = await many(2, pool);

    expect(outcomes).toEqual([[delivered], [delivered]]);
    expect(peer.connectionCount).toBe(2);
  });

  test('sends such a message again only once', async () => {
    const { pool, peer } = await scripted({
      mail: [server.reply('250 OK'), server.disconnect],
      dot: server.reply('250 Queued'),
    });

    const outcomes = await many(2, pool);

    expect(outcomes).toEqual([[delivered], [deferred()]]);
    expect(peer.connectionCount).toBe(2);
  });

  test('loses no message if a server closes an idle connection', async () => {
    const { pool } = await scripted({ dot: [server.replyAndDisconnect('250 Queued'), server.reply('250 Queued')] });

    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
    expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
  });

  test('sends QUIT after the idle timeout', async () => {
    const { pool, peer } = await scripted({}, { timeouts: { ...patient, idle: short } });
    await pool.deliver(outboundMessage());

    while (!pool.isEmpty) await new Promise((resolve) => setImmediate(resolve));

    expect(verbs(peer).at(-1)).toBe('QUIT');
  });

  test('delivers all its messages before it closes', async () => {
    const { pool, peer } = await scripted({}, { connections: 2, messagesPerConnection: 3 });
    const underWay = many(20, pool);

    await pool.close();

    expect(await underWay).toEqual(new Array(20).fill([delivered]));
    expect(() => pool.deliver(outboundMessage())).toThrow('closed');
    expect(pool.isEmpty).toBe(true);
    expect(peer.contents).toHaveLength(20);
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

  test('refuses a HELO name that contains a second command', () => {
    expect(() => new SmtpConnectionPool({ host: '127.0.0.1', port: 25, heloName: 'a\r\nMAIL' })).toThrow(RangeError);
  });
});

test('no connection is opened while the rate limit allows no message', async () => {
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
