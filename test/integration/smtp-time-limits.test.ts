import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { AcceptSubmission } from '../../libs/smtp/src/application/accept-submission.use-case.js';
import { ConnectionPlaces } from '../../libs/smtp/src/domain/connection-places.js';
import { WorkAllowance } from '../../libs/smtp/src/domain/work-allowance.js';
import { ReceptionLimits, Receptions } from '../../libs/smtp/src/infrastructure/smtp/reception.js';
import {
  generalLimits,
  placeLimits,
  submissionReception,
  SmtpLimits,
  workLimits,
} from '../../libs/smtp/src/infrastructure/smtp/smtp-limits.js';
import { Arrivals, SmtpServer } from '../../libs/smtp/src/infrastructure/smtp/smtp-server.js';
import { SmtpSessions } from '../../libs/smtp/src/infrastructure/smtp/smtp-sessions.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { testCertificate } from '../support/servers/test-certificate.js';

const soonMs = 300;
const neverMs = 60_000;

/** Accepts every key and reads every message to its end. */
const accepting = {
  logIn: async () => ({ teamId: 'team', requireRecipients: () => undefined }),
  begin: async () => ({ requireRecipients: () => undefined }),
  accept: async (_caller: unknown, { content }: { content: AsyncIterable<Uint8Array> }) => {
    for await (const _ of content);
    return { id: 'accepted' };
  },
} as unknown as AcceptSubmission;

describe('the time limits of SMTP submission', () => {
  const servers: SmtpServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  async function listen(
    times: Partial<SmtpLimits>,
    pace: Partial<ReceptionLimits> = {},
    allowance = workLimits,
  ): Promise<number> {
    const limits = {
      ...generalLimits,
      idleMs: neverMs,
      loginMs: neverMs,
      recipients: 50,
      messageBytes: 1_000_000,
      stopMs: 100,
      ...times,
    };
    const refusals = new Metrics().counter('refusals', 'Refusals', ['code']);
    const sessions = new SmtpSessions(
      accepting,
      { usernames: ['postrider'], messageBytes: limits.messageBytes },
      new Receptions({ ...submissionReception, ...pace }),
      new TestClock(),
      Logger.create('fatal'),
      refusals,
    );
    const work = new WorkAllowance(allowance);
    const server = new SmtpServer({
      hostName: 'mail.test',
      implicitTls: false,
      isMx: false,
      isSubmission: true,
      certificate: testCertificate,
      limits,
      arrivals: new Arrivals(new ConnectionPlaces(placeLimits(10)), work, () => false),
      work,
      handlers: sessions.handlers(),
    });
    server.on('error', () => undefined);
    await server.bind(0, '127.0.0.1');
    servers.push(server);
    return (server.server.address() as AddressInfo).port;
  }

  async function loggedIn(port: number): Promise<SmtpDialogue> {
    const client = await SmtpDialogue.open(port);
    await client.ask('EHLO client.test');
    await client.startTls();
    await client.ask('EHLO client.test');
    expect(await client.logIn('re_key')).toMatch(/^235/);
    return client;
  }

  async function atData(port: number): Promise<SmtpDialogue> {
    const client = await loggedIn(port);
    await client.ask('MAIL FROM:<a@example.test>');
    await client.ask('RCPT TO:<b@example.test>');
    expect(await client.ask('DATA')).toMatch(/^354/);
    return client;
  }

  it('end a connection that does not log in', async () => {
    const client = await SmtpDialogue.open(await listen({ loginMs: 5 * soonMs }));
    expect(await client.ask('EHLO client.test')).toMatch(/^250/);
    expect(await client.ask('NOOP')).toMatch(/^250/);
    expect(await client.reply()).toMatch(/^421 4\.4\.2 You have not logged in/);
    await client.ended();
  });

  it('end a connection that starts a TLS handshake and does not complete it', async () => {
    const client = await SmtpDialogue.open(await listen({ loginMs: soonMs }));
    expect(await client.ask('EHLO client.test')).toMatch(/^250/);
    expect(await client.ask('STARTTLS')).toMatch(/^220/);
    await client.ended();
  });

  it('end a connection that has logged in only when it is idle', async () => {
    const client = await loggedIn(await listen({ idleMs: soonMs }));
    expect(await client.reply()).toMatch(/^421 4\.4\.2 /);
    await client.ended();
  });

  it.each<[string, Partial<ReceptionLimits>]>([
    ['arrives in small pieces without end', { maxMs: soonMs }],
    ['arrives below the minimum rate', { graceMs: soonMs, minBytesPerSecond: 1_000 }],
  ])('end a message that %s', async (_, pace) => {
    const client = await atData(await listen({}, pace));
    client.send('From: a@example.test\r\nSubject: slow\r\n\r\n');
    const trickle = setInterval(() => client.send('x\r\n'), 20);
    try {
      expect(await client.reply()).toMatch(/^421 4\.4\.2 The message takes too long/);
      await client.ended();
    } finally {
      clearInterval(trickle);
    }
  });

  it('do not count the time in which a message is not read because its team has used up its work allowance', async () => {
    const allowance = { perOwner: 3, together: 100, burstMs: 5 };
    const client = await atData(await listen({}, { graceMs: 2 * soonMs, minBytesPerSecond: 10_000_000 }, allowance));
    const line = `${'x'.repeat(76)}\r\n`;
    const sentAt = performance.now();
    client.send(`From: a@example.test\r\n\r\n${line.repeat(11_000)}.\r\n`);

    expect(await client.reply()).toMatch(/^250/);
    expect(performance.now() - sentAt).toBeGreaterThan(2 * soonMs);
    client.drop();
  });

  it('end the wait of a message for memory that others hold', async () => {
    const port = await listen({}, { smallBytes: submissionReception.smallMemory.maxPerOwner, waitMs: soonMs });
    const first = await atData(port);
    const second = await loggedIn(port);
    await second.ask('MAIL FROM:<a@example.test>');
    await second.ask('RCPT TO:<b@example.test>');
    expect(await second.ask('DATA')).toMatch(/^451 4\.3\.1 Too much mail is being received/);
    first.send('From: a@example.test\r\n\r\n.\r\n');
    expect(await first.reply()).toMatch(/^250/);
    expect(await second.ask('DATA')).toMatch(/^354/);
    for (const client of [first, second]) client.drop();
  });
});
