import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { AcceptSubmission } from '../../libs/smtp/src/application/accept-submission.use-case.js';
import { generalLimits, SubmissionLimits } from '../../libs/smtp/src/infrastructure/smtp/submission-limits.js';
import { SubmissionServer } from '../../libs/smtp/src/infrastructure/smtp/submission-server.js';
import { SubmissionSessions } from '../../libs/smtp/src/infrastructure/smtp/submission-sessions.js';
import { SmtpDialogue } from '../support/smtp-dialogue.js';
import { TestClock } from '../support/test-clock.js';
import { testCertificate } from '../support/test-certificate.js';

const soon = 300;
const never = 60_000;

/** Takes every key and reads every message to its end. */
const accepting = {
  logIn: async () => ({}),
  begin: async () => ({}),
  execute: async (_caller: unknown, { content }: { content: AsyncIterable<Uint8Array> }) => {
    for await (const _ of content);
    return { id: 'accepted' };
  },
} as unknown as AcceptSubmission;

describe('the time limits of SMTP submission', () => {
  const servers: SubmissionServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  async function listen(times: Pick<SubmissionLimits, 'idleMs' | 'loginMs' | 'dataMs'>): Promise<number> {
    const limits = {
      ...generalLimits,
      connectionsPerAddress: 10,
      recipients: 50,
      messageBytes: 1_000_000,
      stopMs: 100,
      ...times,
    };
    const refusals = new Metrics().counter('refusals', 'Refusals', ['code']);
    const sessions = new SubmissionSessions(
      accepting,
      ['postrider'],
      limits,
      new TestClock(),
      Logger.create('fatal'),
      refusals,
    );
    const server = new SubmissionServer({
      hostName: 'mail.test',
      implicitTls: true,
      isMx: false,
      certificate: testCertificate,
      limits,
      counts: new Map(),
      handlers: sessions.handlers(),
    });
    server.on('error', () => undefined);
    await server.bind(0, '127.0.0.1');
    servers.push(server);
    return (server.server.address() as AddressInfo).port;
  }

  it('end a connection that does not log in', async () => {
    const client = await SmtpDialogue.openTls(await listen({ loginMs: 5 * soon, idleMs: never, dataMs: never }));
    expect(await client.ask('EHLO client.test')).toMatch(/^250/);
    expect(await client.ask('NOOP')).toMatch(/^250/);
    expect(await client.reply()).toMatch(/^421 4\.4\.2 You have not logged in/);
    await client.ended();
  });

  it('leave a client alone that has logged in, and end it when it says nothing', async () => {
    const client = await SmtpDialogue.loggedIn(await listen({ loginMs: never, idleMs: soon, dataMs: never }), 're_key');
    expect(await client.reply()).toMatch(/^421 4\.4\.2 /);
    await client.ended();
  });

  it('end a message that trickles in without end', async () => {
    const client = await SmtpDialogue.loggedIn(await listen({ loginMs: never, idleMs: never, dataMs: soon }), 're_key');
    await client.ask('MAIL FROM:<a@example.test>');
    await client.ask('RCPT TO:<b@example.test>');
    expect(await client.ask('DATA')).toMatch(/^354/);
    client.send('From: a@example.test\r\nSubject: slow\r\n\r\n');
    const trickle = setInterval(() => client.send('x\r\n'), 20);
    try {
      expect(await client.reply()).toMatch(/^421 4\.4\.2 The message takes too long/);
      await client.ended();
    } finally {
      clearInterval(trickle);
    }
  });
});
