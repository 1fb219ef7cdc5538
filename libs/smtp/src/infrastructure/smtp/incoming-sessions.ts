import { clientKey, Clock } from '#kernel';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { IncomingMail } from '../../application/ports/incoming-mail.port.js';
import { VisitRate } from '../../domain/visit-rate.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** What is kept of a message, in bytes. Reports say what they have to say first; behind it they return the message. */
const keptBytes = 256 * 1024;
/** Messages being received at once, by one process: together they hold 50 MB at most. */
const mostAtOnce = 200;
const dataMs = 5 * 60_000;

/** What servers that do not log in may do: bring mail for the service itself. There is no way from here to anybody else. */
export class IncomingSessions {
  private readonly rate = new VisitRate();
  private underWay = 0;

  constructor(
    private readonly incomingMail: IncomingMail,
    private readonly clock: Clock,
  ) {}

  async begin(session: SMTPServerSession): Promise<void> {
    if (this.underWay >= mostAtOnce) throw tooMuchAtOnce();
    if (!this.rate.take(clientKey(session.remoteAddress), this.clock.now().getTime())) {
      throw new SmtpRefusal(451, '4.7.1', 'Too much mail from your address, try again later');
    }
  }

  refusalOf({ address }: SMTPServerAddress): SmtpRefusal | null {
    if (this.incomingMail.accepts(address)) return null;
    return new SmtpRefusal(550, '5.7.1', 'No such address here; to send mail to others, log in first');
  }

  /** Resolves when what the message says is durable. */
  async receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<string> {
    // Many may have begun while there was room for one more.
    const hasRoom = this.underWay < mostAtOnce;
    if (hasRoom) this.underWay++;
    stream.on('error', () => undefined);
    const tooSlow = setTimeout(
      () => stream.destroy(new SmtpRefusal(421, '4.4.2', 'The message takes too long')),
      dataMs,
    );
    try {
      const content = await beginningOf(stream, hasRoom ? keptBytes : 0);
      if (!hasRoom) throw tooMuchAtOnce();
      if (stream.sizeExceeded) throw new SmtpRefusal(552, '5.3.4', 'The message is too large');
      await this.incomingMail.receive({
        mailFrom: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        recipients: envelope.rcptTo.map(({ address }) => address),
        content,
      });
      return 'received';
    } finally {
      clearTimeout(tooSlow);
      if (hasRoom) this.underWay--;
    }
  }
}

function tooMuchAtOnce(): SmtpRefusal {
  return new SmtpRefusal(451, '4.3.2', 'Too much mail at once, try again later');
}

/** Reads all of it, and keeps as much as is looked at. */
async function beginningOf(stream: SMTPServerDataStream, mostBytes: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let room = mostBytes;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    if (room > 0) kept.push(chunk.subarray(0, room));
    room -= chunk.length;
  }
  return Buffer.concat(kept);
}
