import { clientKey, clientNetwork, Clock } from '#kernel';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { IncomingMail } from '../../application/ports/incoming-mail.port.js';
import { VisitRate } from '../../domain/visit-rate.js';
import { Reception, Receptions } from './reception.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** Bytes kept of a message. Reports have their information first; the returned message follows it. */
const keptBytes = 256 * 1024;
/** Maximum bytes read of a message: a report that returns the largest message, and as much again. */
const maxReadBytes = 80 * 1024 * 1024;

/**
 * Handles servers that do not log in. They may only send mail to the service itself; mail to anybody else is refused.
 */
export class IncomingSessions {
  private readonly rate = new VisitRate();

  constructor(
    private readonly incomingMail: IncomingMail,
    private readonly receptions: Receptions,
    private readonly clock: Clock,
  ) {}

  async begin(session: SMTPServerSession): Promise<void> {
    if (!this.rate.take(clientKey(session.remoteAddress), this.clock.now().getTime())) {
      throw new SmtpRefusal(451, '4.7.1', 'Too much mail from your address, try again later');
    }
  }

  refusalOf({ address }: SMTPServerAddress): SmtpRefusal | null {
    if (this.incomingMail.accepts(address)) return null;
    return new SmtpRefusal(550, '5.7.1', 'No such address here; to send mail to others, log in first');
  }

  admit(session: SMTPServerSession): Promise<void> {
    return this.receptions.admit(session, clientNetwork(session.remoteAddress));
  }

  abandon(session: SMTPServerSession): void {
    this.receptions.abandon(session);
  }

  hold(session: SMTPServerSession): void {
    this.receptions.hold(session);
  }

  resume(session: SMTPServerSession): void {
    this.receptions.resume(session);
  }

  /** Resolves when the effects of the message are durable. */
  async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const { envelope } = session;
    const reception = this.receptions.begin(session, stream);
    try {
      const content = await beginningOf(reception);
      if (stream.sizeExceeded) throw new SmtpRefusal(552, '5.3.4', 'The message is too large');
      await this.incomingMail.receive({
        clientNetwork: clientNetwork(session.remoteAddress),
        mailFrom: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        recipients: envelope.rcptTo.map(({ address }) => address),
        content,
      });
      return 'received';
    } finally {
      await reception.readToTheEnd(maxReadBytes);
      reception.end();
    }
  }
}

/** Reads all of the content, and keeps its beginning. */
async function beginningOf(reception: Reception): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let room = keptBytes;
  for await (const chunk of reception.chunks()) {
    if (room > 0) kept.push(chunk.subarray(0, room));
    room -= chunk.length;
  }
  return Buffer.concat(kept);
}
