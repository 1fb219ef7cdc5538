import { afterEach, describe, expect, test } from '@jest/globals';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import * as server from '../support/servers/scripted-smtp-server.js';
import { closeScripted, scripted, verbs, deferred, bounced, delivered } from '../support/fakes/scripted-delivery.js';

afterEach(closeScripted);

describe('what is sent', () => {
  test('SIZE and BODY=8BITMIME where offered and needed', async () => {
    const { pool, peer } = await scripted({});

    await pool.deliver(outboundMessage({ content: Buffer.from('\r\na\r\n') }));
    await pool.deliver(outboundMessage({ content: Buffer.from('\r\n\r\nä\r\n') }));

    expect(peer.commands.filter((line) => line.startsWith('MAIL'))).toEqual([
      'MAIL FROM:<bounces@sender.test> SIZE=5',
      'MAIL FROM:<bounces@sender.test> SIZE=8 BODY=8BITMIME',
    ]);
  });

  test('SMTPUTF8 where an address needs it, and a bounce where it is not offered', async () => {
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

  test('SMTPUTF8 where the header needs it, and a bounce where it is not offered', async () => {
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

  test('nothing where the message is larger than the server takes', async () => {
    const { pool, peer } = await scripted({ ehlo: server.ehlo('PIPELINING', 'SIZE 100') });

    expect(await pool.deliver(outboundMessage({ content: Buffer.alloc(101, 'x') }))).toEqual([bounced]);
    expect(verbs(peer)).toEqual(['EHLO']);
  });

  test.each([
    ['a bare LF', 'a\r\n\n.\r\nMAIL FROM:<x@y.test>\r\n'],
    ['LF.LF', 'a\n.\nMAIL FROM:<x@y.test>\r\n'],
    ['CR.CR', 'a\r.\rMAIL FROM:<x@y.test>\r\n'],
    ['CR at the end', 'a\r'],
  ])('nothing where the content has %s', async (_, content) => {
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

  test('what follows the answer to STARTTLS in the clear ends the connection', async () => {
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

  test('opportunistic TLS that is refused or broken: the mail goes without', async () => {
    const offered = server.ehlo('PIPELINING', 'STARTTLS');
    for (const script of [{ ehlo: offered }, { ehlo: offered, starttls: server.replyAndDisconnect('220 Go') }]) {
      const { pool } = await scripted(script);

      expect(await pool.deliver(outboundMessage())).toEqual([delivered]);
    }
  });

  test('credentials are refused: deferred, and not in the reason', async () => {
    const ehlo = server.ehlo('AUTH LOGIN PLAIN');
    const { pool, peer } = await scripted({ ehlo, auth: server.reply('535 5.7.8 Bad credentials') }, { credentials });

    const [outcome] = await pool.deliver(outboundMessage());

    expect(outcome).toMatchObject({ kind: 'deferred', detail: { replyCode: 535, enhancedCode: '5.7.8' } });
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(peer.commands[1]).toBe('AUTH PLAIN AHVzZXIAc2VjcmV0');
  });

  test('AUTH LOGIN where PLAIN is not offered', async () => {
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

  test('no mechanism in common: deferred', async () => {
    const { pool } = await scripted({ ehlo: server.ehlo('AUTH CRAM-MD5') }, { credentials });

    expect(await pool.deliver(outboundMessage())).toEqual([deferred()]);
  });
});
