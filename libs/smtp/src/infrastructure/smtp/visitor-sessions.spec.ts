import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { FeedbackMail, InboundRecipient, ReceivedMail } from '../../application/ports/received-mail.port.js';
import { VisitorSessions } from './visitor-sessions.js';
import { Receptions } from './reception.js';
import { incomingReception } from './smtp-limits.js';

const everything = { accepts: () => true, receive: () => Promise.resolve() } as unknown as FeedbackMail;
const clock = { now: () => new Date() };
const soonMs = 20;

const sessionOf = (remoteAddress: string): SMTPServerSession =>
  ({
    remoteAddress,
    envelope: { mailFrom: false, rcptTo: [{ address: 'fbl@mail.service.test', args: {} }] },
  }) as unknown as SMTPServerSession;

it('the messages of one network at the same time are bounded, and leave room for the others', async () => {
  const { smallBytes } = incomingReception;
  const smallMemory = { total: 10 * smallBytes, maxPerOwner: 3 * smallBytes };
  const receptions = new Receptions({ ...incomingReception, smallMemory, waitMs: soonMs });
  const sessions = new VisitorSessions(everything, undefined, receptions, clock, {
    messageBytes: 1024 * 1024,
    messagesPerMinute: 600,
  });
  const [first, ...more] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(sessionOf);
  for (const session of [first, ...more]) await sessions.admitContent(session as SMTPServerSession);
  await expect(sessions.admitContent(sessionOf('192.0.2.4'))).rejects.toMatchObject({ responseCode: 451 });
  await sessions.admitContent(sessionOf('198.51.100.1'));

  const stream = new PassThrough();
  const received = sessions.receive(stream as unknown as SMTPServerDataStream, first as SMTPServerSession);
  stream.end('Subject: Report\r\n\r\n');
  expect(await received).toBe('received');
  for (const session of more) sessions.abandon(session);
  await sessions.admitContent(sessionOf('192.0.2.4'));
  expect(receptions.usedBytes).toBe(2 * smallBytes);
});

it.each([
  ['reports@acme.test', 'support@acme.test'],
  ['support@acme.test', 'reports@acme.test'],
])('after %s the other kind of recipient, %s, is to be sent in a transaction of its own', async (first, second) => {
  const inbound = {
    decide: async (_: unknown, __: string, { address }: { address: string }): Promise<InboundRecipient> =>
      address.startsWith('reports@') ? { address, isOfService: true } : { address },
  } as unknown as ReceivedMail;
  const none = { accepts: () => false } as unknown as FeedbackMail;
  const options = { messageBytes: 1024, messagesPerMinute: 600 };
  const sessions = new VisitorSessions(none, inbound, new Receptions(incomingReception), clock, options);
  const session = sessionOf('192.0.2.1');
  await sessions.begin(session);
  const decide = (address: string) => sessions.decide({ address, args: {} }, session);
  await decide(first);
  await expect(decide(second)).rejects.toMatchObject({ responseCode: 452 });
  await decide(`${first.split('@')[0]}@other.test`);
});
