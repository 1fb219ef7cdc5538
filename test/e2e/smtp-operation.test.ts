import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { DirectoryMessageStore, InMemoryMessageStore, MessageStore } from '#emails';
import { selfSigned } from '../../libs/http/src/tls/self-signed.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { submissionApiKey, SubmissionProgram } from '../support/programs/submission-program.js';
import { until } from '../support/runner/until.js';

const headers = 'From: a@sandbox.postrider.test\r\nTo: b@sink.test\r\nSubject: x\r\n\r\n';
let program: SubmissionProgram;

/** One program for the tests of a block. */
function startsWith(environment: Readonly<Record<string, string>>, adapters = new Adapters()): void {
  beforeAll(async () => {
    program = await SubmissionProgram.start(environment, adapters);
  });
  afterAll(() => program.stop());
}

const loggedIn = (): Promise<SmtpDialogue> => SmtpDialogue.loggedIn(program.port('tls'), submissionApiKey);

async function atData(): Promise<SmtpDialogue> {
  const client = await loggedIn();
  await client.ask('MAIL FROM:<a@b.test>');
  await client.ask('RCPT TO:<b@sink.test>');
  await client.ask('DATA');
  return client;
}

const shown = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ port: program.port('tls'), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN as string);
      socket.destroy();
    });
    socket.once('error', reject);
  });

async function takesLargeMessage(): Promise<void> {
  const client = await atData();
  const base64 = `${'QUJD'.repeat(19)}\r\n`.repeat(40_000);
  const message =
    headers.slice(0, -2) +
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee attached\r\n--b\r\n' +
    'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n' +
    `Content-Disposition: attachment; filename=large.pdf\r\n\r\n${base64}--b--\r\n`;
  client.send(`${message}.\r\n`);

  const id = /^250 2\.6\.0 OK: (\S+)/.exec(await client.reply())?.[1] ?? '';
  client.drop();

  const { content } = await program.arrived((message) => message.content.includes('filename=large.pdf'));
  expect(content.toString('latin1').endsWith(message.slice(message.indexOf('\r\n\r\n')))).toBe(true);
  expect(await program.dkimResults(content)).toEqual(['pass']);
  expect((await program.email(id)).text).toBe('see attached');
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of all buffers that are still referenced. Called rarely: on a slow machine it takes a second. */
function heldBytes(): number {
  collectGarbage();
  // What the first collection found is freed in the background; the second waits for it.
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('a program with a self-signed certificate', () => {
  startsWith({ HELO_NAME: 'mail.example.test', SMTP_CONNECTIONS_PER_ADDRESS: '600' });

  it('has a certificate that is self-signed without files, and the same at the next start', async () => {
    expect(await shown()).toBe('mail.example.test');
    expect(await readFile(join(program.dataDir, 'tls', 'key.pem'), 'utf8')).toContain('PRIVATE KEY');
  });

  it('lets 500 clients idle with little memory', async () => {
    const before = process.memoryUsage().rss;

    const clients = await Promise.all(Array.from({ length: 500 }, () => SmtpDialogue.open(program.port('starttls'))));

    // Both ends of each connection are in this process.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    (await loggedIn()).drop();
    for (const client of clients) client.drop();
  });

  it('takes 40 MB from a slow sender with much less than 40 MB of memory', async () => {
    const storedBefore = (await program.rows()).message_contents ?? NaN;
    const client = await atData();
    client.send(headers);
    const piece = Buffer.from(`${'x'.repeat(1022)}\r\n`.repeat(1024));
    let maxHeldBytes = 0;
    const before = heldBytes();
    const measuredEvery = 13;
    for (let sent = 0; sent < 39; sent++) {
      client.send(piece);
      // Waits until three of the four pieces of each megabyte are stored, which are 33 rows each. The rest is on its way.
      await until(
        async () => client.buffered === 0 && ((await program.rows()).message_contents ?? 0) - storedBefore >= sent * 99,
      );
      if ((sent + 1) % measuredEvery === 0) maxHeldBytes = Math.max(maxHeldBytes, heldBytes() - before);
    }
    client.send('.\r\n');

    expect(await client.reply()).toMatch(/^250/);
    expect(maxHeldBytes).toBeLessThan(8 * 1024 * 1024);
    client.drop();
  });

  it('ends a session of many refusals, unknown commands or commands without a message', async () => {
    const refused = await loggedIn();
    for (let at = 0; at < 20; at++) refused.send('RCPT TO:<x>\r\n');
    await refused.ended();
    expect(refused.unread).toMatch(/421 4\.7\.0 Too many errors\r\n$/);

    const unknown = await loggedIn();
    for (let at = 0; at < 10; at++) unknown.send('XYZZY\r\n');
    await unknown.ended();
    expect(unknown.unread).toMatch(/421 4\.7\.0 Error: too many unrecognized commands\r\n$/);

    const busy = await loggedIn();
    for (let at = 0; at < 501; at++) busy.send('NOOP\r\n');
    await busy.ended();
    expect(busy.unread).toMatch(/421 4\.7\.0 Too many commands without a message\r\n$/);
  });

  it('delivers a large message completely, and the API has its text', takesLargeMessage);

  it('lets a message in DATA finish when it stops, and ends all other sessions at once', async () => {
    const idle = await loggedIn();
    const busy = await atData();
    busy.send(`${headers}Hel`);

    const stopped = program.postrider.stop();
    expect(await idle.reply()).toMatch(/^421 4\.3\.2/);
    await idle.ended();
    busy.send('lo\r\n.\r\n');
    expect(await busy.reply()).toMatch(/^250 2\.6\.0/);
    expect(await busy.reply()).toMatch(/^421 4\.3\.2/);
    await stopped;
  });
});

describe.each<[string, () => Adapters]>([
  ['a directory', () => new Adapters().use(MessageStore, new DirectoryMessageStore(`/tmp/postrider-store-${newId()}`))],
  ['memory', () => new Adapters().use(MessageStore, new InMemoryMessageStore())],
])('a large message, stored in %s', (_, adapters) => {
  startsWith({}, adapters());

  it('arrives completely, and the API has its text', takesLargeMessage);
});

describe('a program with low limits and a certificate of its own', () => {
  const directory = `/tmp/postrider-tls-${newId()}`;
  const [certFile, keyFile] = [`${directory}-cert.pem`, `${directory}-key.pem`];

  beforeAll(async () => {
    const first = await selfSigned('first.example.test');
    await Promise.all([writeFile(certFile, first.cert), writeFile(keyFile, first.key)]);
  });
  startsWith({
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    SMTP_CONNECTIONS_PER_ADDRESS: '5',
    RATE_LIMIT_PER_SECOND: '1',
  });

  it('reads the certificate again when its files change, but not while it and the key do not match', async () => {
    const second = await selfSigned('second.example.test');
    const session = await loggedIn();
    expect(await shown()).toBe('first.example.test');

    await writeFile(certFile, second.cert);
    expect(await shown()).toBe('first.example.test');
    await writeFile(keyFile, second.key);

    await until(async () => (await shown()) === 'second.example.test');
    expect(await session.ask('NOOP')).toMatch(/^250/);
    session.drop();
  });

  it('limits the rate as the HTTP API does, with a temporary reply', async () => {
    const client = await loggedIn();

    const replies: string[] = [];
    await until(async () => {
      const reply = await client.ask('MAIL FROM:<a@b.test>');
      if (reply.startsWith('250')) await client.ask('RSET');
      replies.push(reply);
      return replies.some((text) => text.startsWith('451 4.7.1')) && reply.startsWith('250');
    });
    expect(replies.find((text) => text.startsWith('451'))).toMatch(/^451 4\.7\.1 Too many requests/);
    client.drop();
  });

  it('counts the connections of each address separately', async () => {
    const port = program.port('starttls');
    const clients = await Promise.all(Array.from({ length: 5 }, () => SmtpDialogue.open(port)));

    const next = SmtpDialogue.unread(port);
    expect(await next.reply()).toMatch(/^421 4\.7\.0 Too many connections/);
    await next.ended();
    const elsewhere = await SmtpDialogue.open(port, '127.0.0.2');
    expect(await elsewhere.ask('EHLO x.test')).toMatch(/^250/);
    clients[0]?.drop();
    await until(async () => {
      const again = SmtpDialogue.unread(port);
      const greeting = await again.reply();
      again.drop();
      return greeting.startsWith('220');
    });
    for (const client of [...clients, elsewhere]) client.drop();
  });
});

describe('a program that cannot have one of its ports', () => {
  const other = createServer();
  let taken: number;

  beforeAll(async () => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    taken = (other.address() as AddressInfo).port;
    program = await SubmissionProgram.start({
      SMTP_LISTEN: `127.0.0.1:${taken},127.0.0.1:0+tls`,
      SHUTDOWN_SECONDS: '1',
    });
  });
  afterAll(async () => {
    await program.stop();
    other.close();
  });

  it('reports those in use, and serves the others', async () => {
    expect(program.postrider.smtp.unavailable).toEqual([
      { address: { host: '127.0.0.1', port: taken, implicitTls: false, isMx: false }, reason: 'EADDRINUSE' },
    ]);
    (await loggedIn()).drop();
  });

  it('waits for a message, when it stops, no longer than its limit', async () => {
    const busy = await atData();
    busy.send(`${headers}Hel`);

    await program.postrider.stop();

    expect(await busy.reply()).toMatch(/^421 4\.3\.2/);
    await busy.ended();
  });
});

describe('a program without ports', () => {
  startsWith({ SMTP_LISTEN: 'none' });

  it('says so', async () => {
    expect(program.postrider.smtp).toEqual({ listening: [], unavailable: [] });
  });
});
