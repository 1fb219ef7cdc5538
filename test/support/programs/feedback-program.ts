import type { INestApplicationContext } from '@nestjs/common';
import type { Resend } from 'resend';
import { InMemoryDeliveryTransport, ReturnPaths } from '#delivery';
import { Adapters } from '#platform/adapters';
import { eventsOf, ShownEvent } from '../builders/email-events.js';
import { startProgram, testApiKey, testSender } from './program.js';
import { RecordingProgram, startRecordingProgram } from './recording-program.js';
import { SmtpDialogue } from '../clients/smtp-dialogue.js';
import { until } from '../runner/until.js';

interface TracedRecipient {
  readonly recipient: string;
  readonly status: string;
  readonly reports: readonly Record<string, unknown>[];
}

/** A program that delivers into memory and receives bounces and complaints on an SMTP port. */
export class FeedbackProgram {
  readonly apiKey = testApiKey;
  readonly app: INestApplicationContext;
  readonly resend: Resend;
  readonly transport: InMemoryDeliveryTransport;

  private constructor(private readonly program: RecordingProgram) {
    this.app = program.postrider.app;
    this.resend = program.resend;
    this.transport = program.transport;
  }

  static async start(): Promise<FeedbackProgram> {
    return new FeedbackProgram(
      await startRecordingProgram({ SMTP_LISTEN: '127.0.0.1:0+mx,127.0.0.1:0', HOST_NAME: 'mail.service.test' }),
    );
  }

  /** The port for mail from other servers. */
  get port(): number {
    return this.portOf(true);
  }

  get submissionPort(): number {
    return this.portOf(false);
  }

  /** Sends an email and waits until it is delivered to all recipients. Returns the return path of the first. */
  async delivered(...to: string[]): Promise<{ readonly id: string; readonly returnPath: string }> {
    const { data } = await this.resend.emails.send({ from: testSender, to, subject: 'Order', text: 'Thank you' });
    const id = data?.id ?? '';
    await until(async () => (await this.trace(id)).every(({ status }) => status === 'delivered'));
    const [returnPath = ''] = await this.returnPaths(id);
    return { id, returnPath };
  }

  /** The envelope senders that were used, in the order of the recipients. */
  async returnPaths(id: string): Promise<string[]> {
    const owners = this.app.get(ReturnPaths);
    return this.transport.delivered
      .filter(({ emailId }) => emailId === id)
      .map(({ mailFrom }) => mailFrom)
      .sort((a, b) => (owners.ownerOf(a)?.recipientNo ?? 0) - (owners.ownerOf(b)?.recipientNo ?? 0));
  }

  /** Sends a message as another mail server does, without a login. Resolves to the reply to the message. */
  async bring(message: string, recipients: readonly string[], sender = '', port = this.port): Promise<string> {
    const client = await SmtpDialogue.open(port);
    try {
      await client.ask('EHLO mx.example.test');
      await client.ask(`MAIL FROM:<${sender}>`);
      for (const recipient of recipients) {
        const reply = await client.ask(`RCPT TO:<${recipient}>`);
        if (!reply.startsWith('250')) throw new Error(reply);
      }
      await client.ask('DATA');
      client.send(`${message.replace(/^\./gm, '..')}\r\n.\r\n`);
      return await client.reply();
    } finally {
      client.drop();
    }
  }

  async lastEvent(id: string): Promise<string | undefined> {
    return (await this.resend.emails.get(id)).data?.last_event;
  }

  events(id: string): Promise<ShownEvent[]> {
    return eventsOf(this.program, id);
  }

  async trace(id: string): Promise<readonly TracedRecipient[]> {
    const trace = (await (await this.program.request(`/emails/${id}/trace`)).json()) as {
      recipients: TracedRecipient[];
    };
    return trace.recipients;
  }

  /** Starts a second program on the same database that has only the smtp role. */
  async listenApart(): Promise<{ readonly port: number; stop(): Promise<void> }> {
    const listener = await startProgram(
      { ROLES: 'smtp', SMTP_LISTEN: '127.0.0.1:0+mx' },
      new Adapters(),
      this.program.database,
    );
    const [address] = listener.postrider.smtp.listening;
    return { port: address?.port ?? 0, stop: () => listener.stop() };
  }

  stop(): Promise<void> {
    return this.program.stop();
  }

  private portOf(isMx: boolean): number {
    const found = this.program.postrider.smtp.listening.find((address) => address.isMx === isMx);
    if (found === undefined) throw new Error('no such SMTP listener');
    return found.port;
  }
}
