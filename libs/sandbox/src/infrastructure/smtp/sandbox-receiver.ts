import type { AddressInfo } from 'node:net';
import { SandboxAddress } from '#delivery';
import { Logger } from '#observability/logging';
import { OnApplicationShutdown } from '@nestjs/common';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { ReceiveMessage } from '../../application/receive-message.use-case.js';
import { summaryOf } from '../mime/message-summary.js';

/** Maximum size of a message: 40 MB of content (docs/wire-contract.md section 6) are 55 MB in base64. */
const maxMessageBytes = 60 * 1024 * 1024;
/** Each connection may hold a whole message in memory. Delivery uses eight. */
const maxConnections = 16;
/** How long a stop waits for clients other than delivery, which has disconnected before. */
const closeMs = 1_000;

/**
 * The built-in mail server: real SMTP, on loopback only. It accepts all mail and forwards none.
 *
 * It listens before anything is delivered. It closes in `onApplicationShutdown`, which comes after all of
 * `beforeApplicationShutdown`, where delivery drains.
 */
export class SandboxReceiver extends SandboxAddress implements OnApplicationShutdown {
  private readonly server: SMTPServer;

  private constructor(
    private readonly receiveMessage: ReceiveMessage,
    private readonly logger: Logger,
  ) {
    super();
    this.server = new SMTPServer({
      name: 'sandbox.localhost',
      banner: 'Postrider sandbox',
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      size: maxMessageBytes,
      maxClients: maxConnections,
      closeTimeout: closeMs,
      logger: false,
      onData: (stream, session, reply) => this.receive(stream, session, reply),
    });
    this.server.on('error', (error) => this.logger.debug({ error }, 'a connection to the sandbox broke'));
  }

  static async listen(receiveMessage: ReceiveMessage, logger: Logger): Promise<SandboxReceiver> {
    const receiver = new SandboxReceiver(receiveMessage, logger);
    await new Promise<void>((resolve, reject) => {
      receiver.server.server.once('error', reject);
      receiver.server.listen(0, '127.0.0.1', resolve);
    });
    // The server must not keep the process alive if the start fails later.
    receiver.server.server.unref();
    return receiver;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  async onApplicationShutdown(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    reply: (error?: Error | null, message?: string) => void,
  ): void {
    const chunks: Buffer[] = [];
    // The server refuses a message that is too large only after it was read completely. Its bytes need not be kept
    // until then.
    stream.on('data', (chunk: Buffer) => void (stream.sizeExceeded ? (chunks.length = 0) : chunks.push(chunk)));
    stream.on('error', (error: Error) => reply(error));
    stream.on('end', () => {
      if (stream.sizeExceeded) return reply(null);
      this.store(Buffer.concat(chunks), session).then(
        () => reply(null, 'OK: stored in the inbox'),
        (error: unknown) => {
          this.logger.error({ error }, 'the sandbox could not store a message');
          reply(Object.assign(new Error('Error: not stored, try again later'), { responseCode: 451 }));
        },
      );
      return undefined;
    });
  }

  private store(raw: Buffer, { envelope }: SMTPServerSession): Promise<void> {
    const recipients = envelope.rcptTo.map(({ address }) => address);
    const mailFrom = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
    return this.receiveMessage.receive({ ...summaryOf(raw), mailFrom, recipients, raw });
  }
}
