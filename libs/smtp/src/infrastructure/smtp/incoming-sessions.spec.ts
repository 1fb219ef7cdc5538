import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { IncomingMail } from '../../application/ports/incoming-mail.port.js';
import { IncomingSessions } from './incoming-sessions.js';

const mostAtOnce = 200;
const session = {
  remoteAddress: '192.0.2.1',
  envelope: { mailFrom: false, rcptTo: [{ address: 'fbl@mail.service.test', args: {} }] },
} as unknown as SMTPServerSession;

const everything = { accepts: () => true, receive: () => Promise.resolve() } as unknown as IncomingMail;
const clock = { now: () => new Date() };

it('what began while there was room is refused when it comes and there is none, and read to its end', async () => {
  const sessions = new IncomingSessions(everything, clock);
  const streams = Array.from({ length: mostAtOnce + 1 }, () => new PassThrough());
  await Promise.all(streams.map(() => sessions.begin(session)));
  const received = streams.map((stream) => sessions.receive(stream as unknown as SMTPServerDataStream, session));
  const one = expect(received[mostAtOnce]).rejects.toMatchObject({ responseCode: 451 });
  await expect(sessions.begin(session)).rejects.toMatchObject({ responseCode: 451 });
  for (const stream of streams) stream.end('Subject: Report\r\n\r\n');
  await one;
  expect(streams[mostAtOnce]?.readableEnded).toBe(true);
  await Promise.all(received.slice(0, mostAtOnce));
  await sessions.begin(session);
});
