import { afterEach, describe, expect, test } from '@jest/globals';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import * as server from '../support/servers/scripted-smtp-server.js';
import type { Script } from '../support/servers/scripted-smtp-server.js';
import {
  closeScripted,
  short,
  timeouts,
  patient,
  scripted,
  verbs,
  withoutPipelining,
  deferred,
  bounced,
  delivered,
  large,
} from '../support/fakes/scripted-delivery.js';

afterEach(closeScripted);

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

  test.each([
    ['one recipient, which it calls unknown', ['ann@example.test'], '550 5.1.1 User unknown', ['bad-address']],
    [
      'a message to several, without a word which one is unknown',
      ['ann@example.test', 'eve@example.test'],
      '550 5.1.1 User unknown',
      ['unknown', 'unknown'],
    ],
    ['the sender by its address', ['ann@example.test'], '550 5.1.1 <Bounces@sender.test> unknown user', ['bad-sender']],
  ])('with the final reply %s', async (_, recipients, text, categories) => {
    const { pool } = await scripted({ dot: server.reply(text) });

    const outcomes = await pool.deliver(outboundMessage({ recipients }));

    expect(outcomes).toMatchObject(categories.map((category) => ({ kind: 'bounced', category })));
  });

  test('a recipient is not bad where RCPT is refused for the sender that the reply names', async () => {
    const { pool } = await scripted({ rcpt: server.reply('550 5.1.1 <bounces@sender.test>: no such user') });

    expect(await pool.deliver(outboundMessage())).toMatchObject([{ kind: 'bounced', category: 'bad-sender' }]);
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
