import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { itUnless, whyNo } from '../support/runner/unless.js';
import { bodyOf, submissionApiKey, SubmissionProgram } from '../support/programs/submission-program.js';

type Mode = 'starttls' | 'tls';
const modes: readonly Mode[] = ['starttls', 'tls'];
const run = promisify(execFile);

let program: SubmissionProgram;

/** As many ports as by default, with their modes, on free ports of loopback. */
const listen = Array.from({ length: 5 }, (_, at) => `127.0.0.1:0${at === 1 || at === 3 ? '+tls' : ''}`).join(',');

beforeAll(async () => {
  program = await SubmissionProgram.start({ SMTP_LISTEN: listen });
});
afterAll(() => program.stop());

/** Debian's package of swaks does not install the module for TLS by default. */
function whyNoSwaks(): string | undefined {
  const hasTls = (): boolean => spawnSync('swaks', ['--support']).stdout.includes('=== TLS supported');
  return whyNo('swaks', '--version') ?? (hasTls() ? undefined : 'swaks is installed without Net::SSLeay, for TLS');
}

const itWithSwaks = itUnless(whyNoSwaks());
const itWithPython = itUnless(whyNo('python3', '--version'));

const ports = (mode: Mode): number[] =>
  program.postrider.smtp.listening
    .filter(({ implicitTls }) => implicitTls === (mode === 'tls'))
    .map(({ port }) => port);

/** Expects that the body arrived byte for byte, with a signature, and that the API has the email. */
async function expectArrival(subject: string, body: string): Promise<void> {
  const message = await program.arrived(({ content }) => content.includes(`Subject: ${subject}\r\n`));
  expect(bodyOf(message.content).toString()).toBe(body);
  expect(message.mailFrom).toMatch(/^bounces\+[a-z2-7]{45}@send\.sandbox\.postrider\.test$/);
  expect(message.recipients).toEqual(['to@sink.test']);
  expect(await program.dkimResults(message.content)).toEqual(['pass']);
  const { data } = (await program.get('/emails?limit=100')) as { data: { id: string; subject: string }[] };
  const found = data.find((email) => email.subject === subject);
  expect(await program.email(found?.id ?? '')).toMatchObject({
    text: body.trimEnd().replaceAll('\r\n', '\n'),
    to: ['to@sink.test'],
  });
}

describe.each(modes)('over %s', (mode) => {
  it('nodemailer submits on every port', async () => {
    for (const [at, port] of ports(mode).entries()) {
      const transport = createTransport({
        host: '127.0.0.1',
        port,
        secure: mode === 'tls',
        requireTLS: mode === 'starttls',
        tls: { rejectUnauthorized: false },
        auth: { user: 'postrider', pass: submissionApiKey },
      });
      const subject = `nodemailer ${mode} ${at}`;
      const raw = `From: a@sandbox.postrider.test\r\nTo: to@sink.test\r\nSubject: ${subject}\r\n\r\n.dots\r\n..too\r\n`;

      await transport.sendMail({ envelope: { from: 'a@sandbox.postrider.test', to: 'to@sink.test' }, raw });

      transport.close();
      await expectArrival(subject, '.dots\r\n..too\r\n');
    }
  });

  itWithSwaks('swaks submits on every port', async () => {
    for (const [at, port] of ports(mode).entries()) {
      const subject = `swaks ${mode} ${at}`;
      await run('swaks', [
        ...['--server', '127.0.0.1', '--port', String(port), mode === 'tls' ? '--tls-on-connect' : '--tls'],
        ...['--auth', at === 0 ? 'LOGIN' : 'PLAIN', '--auth-user', 'postrider', '--auth-password', submissionApiKey],
        ...['--from', 'a@sandbox.postrider.test', '--to', 'to@sink.test', '--helo', 'client.test', '--pipeline'],
        ...['--header', `Subject: ${subject}`, '--body', 'from swaks'],
      ]);

      const message = await program.arrived(({ content }) => content.includes(`Subject: ${subject}\r\n`));
      expect(bodyOf(message.content).toString()).toMatch(/^from swaks\r\n/);
      expect(await program.dkimResults(message.content)).toEqual(['pass']);
    }
  });

  itWithPython("Python's smtplib submits on every port", async () => {
    for (const [at, port] of ports(mode).entries()) {
      const subject = `smtplib ${mode} ${at}`;
      await run('python3', ['-c', pythonClient, mode, String(port), submissionApiKey, subject]);

      await expectArrival(subject, '.A line with a dot\r\nGreetings\r\n');
    }
  });
});

const pythonClient = `
import smtplib, ssl, sys
from email.message import EmailMessage
mode, port, key, subject = sys.argv[1:]
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
if mode == 'tls':
    client = smtplib.SMTP_SSL('127.0.0.1', int(port), context=context)
else:
    client = smtplib.SMTP('127.0.0.1', int(port))
    client.starttls(context=context)
client.login('postrider', key)
message = EmailMessage()
message['From'] = 'Ann <a@sandbox.postrider.test>'
message['To'] = 'to@sink.test'
message['Subject'] = subject
message.set_content('.A line with a dot\\nGreetings\\n')
client.send_message(message)
client.quit()
`;

describe('a submitted message', () => {
  const nodemailer = (auth = { user: 'postrider', pass: submissionApiKey }): ReturnType<typeof createTransport> =>
    createTransport({
      host: '127.0.0.1',
      port: program.port('tls'),
      secure: true,
      tls: { rejectUnauthorized: false },
      auth,
    });

  it('is also accepted from clients that log in as `resend`, so that they need to change only the host', async () => {
    const message = { from: 'a@sandbox.postrider.test', to: 'moved@sink.test', subject: 'Moved', text: 'Hello' };
    await nodemailer({ user: 'resend', pass: submissionApiKey }).sendMail(message);

    await program.arrived(({ recipients }) => recipients.includes('moved@sink.test'));
  });

  it('is accepted from clients whose user name has capitals, and whose key was pasted with white space', async () => {
    const message = { from: 'a@sandbox.postrider.test', to: 'pasted@sink.test', subject: 'Pasted', text: 'Hello' };
    await nodemailer({ user: 'Postrider ', pass: `${submissionApiKey}\n` }).sendMail(message);

    await program.arrived(({ recipients }) => recipients.includes('pasted@sink.test'));
  });

  it('looks like any other email in the API, and loses fields that must not be sent', async () => {
    const { response } = await nodemailer().sendMail({
      from: 'Änne <a@sandbox.postrider.test>',
      to: 'One <one@sink.test>',
      cc: 'two@sink.test',
      replyTo: 'answers@elsewhere.test',
      bcc: 'hidden@sink.test',
      subject: 'Grüße',
      text: 'Hällo',
      html: '<p>Hällo</p>',
      headers: {
        'X-Entity-Ref-ID': '42',
        'X-Postrider-Tag': ['kind=receipt', 'run=7'],
        'Resend-Idempotency-Key': 'once',
      },
      attachments: [{ filename: 'Rechnung ä.pdf', content: Buffer.from('%PDF-1.7'), contentType: 'application/pdf' }],
    });

    const id = /OK: (\S+)/.exec(response)?.[1] ?? '';
    const message = await program.arrived(({ recipients }) => recipients.includes('hidden@sink.test'));
    const text = message.content.toString();
    expect(message.recipients).toEqual(['hidden@sink.test']);
    for (const shown of ['one@sink.test', 'two@sink.test']) {
      await program.arrived(({ recipients }) => recipients.includes(shown));
    }
    expect(text).not.toMatch(/hidden@|X-Postrider|Idempotency/i);
    expect(text).toContain('X-Entity-Ref-ID: 42\r\n');
    expect(await program.email(id)).toMatchObject({
      from: 'Änne <a@sandbox.postrider.test>',
      to: ['One <one@sink.test>'],
      cc: ['two@sink.test'],
      bcc: ['hidden@sink.test'],
      reply_to: ['answers@elsewhere.test'],
      subject: 'Grüße',
      text: 'Hällo',
      html: '<p>Hällo</p>',
      tags: [
        { name: 'kind', value: 'receipt' },
        { name: 'run', value: '7' },
      ],
    });
  });

  it('is sent once however often it is repeated with one idempotency key', async () => {
    const mail = {
      from: 'a@sandbox.postrider.test',
      to: 'once@sink.test',
      subject: 'Only once',
      text: 'Hello',
      headers: { 'Resend-Idempotency-Key': 'order-42' },
    };

    const first = await nodemailer().sendMail(mail);
    const again = await nodemailer().sendMail(mail);

    expect(again.response).toBe(first.response);
    await expect(nodemailer().sendMail({ ...mail, subject: 'Another' })).rejects.toMatchObject({
      responseCode: 451,
      response: expect.stringMatching(/^451 4\.5\.0 This idempotency key has been used/),
    });
  });

  it('can be scheduled by a header', async () => {
    const { response } = await nodemailer().sendMail({
      from: 'a@sandbox.postrider.test',
      to: 'later@sink.test',
      subject: 'Later',
      text: 'Hello',
      headers: { 'X-Postrider-Scheduled-At': 'in 2 hours' },
    });

    expect(await program.email(/OK: (\S+)/.exec(response)?.[1] ?? '')).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: expect.any(String),
    });
  });
});
