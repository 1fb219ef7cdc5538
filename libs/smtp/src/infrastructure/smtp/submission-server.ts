import type { Socket } from 'node:net';
import { clientKey } from '#kernel';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { SubmissionConnection } from './submission-connection.js';
import type { SubmissionLimits } from './submission-limits.js';

/** Connections by client address, over all ports together. */
export type ConnectionCounts = Map<string, number>;

type Handlers = Required<Pick<SMTPServerOptions, 'onAuth' | 'onMailFrom' | 'onRcptTo' | 'onData'>>;

export interface SubmissionServerOptions {
  readonly hostName: string;
  readonly implicitTls: boolean;
  /** Takes mail for the service itself from whoever brings it; what is to be sent still needs a login. */
  readonly isMx: boolean;
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly limits: SubmissionLimits;
  readonly counts: ConnectionCounts;
  readonly handlers: Handlers;
}

/**
 * Submission on one port (RFC 6409): ESMTP with PIPELINING, SIZE, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES, STARTTLS
 * and, once encrypted, AUTH. CHUNKING (RFC 3030) is not among them: the library has no BDAT.
 */
export class SubmissionServer extends SMTPServer {
  readonly limits: SubmissionLimits;
  readonly isMx: boolean;
  isStopping = false;
  private readonly counts: ConnectionCounts;

  constructor({ hostName, implicitTls, isMx, certificate, limits, counts, handlers }: SubmissionServerOptions) {
    super({
      name: hostName,
      banner: 'Postrider',
      heloResponse: '%s',
      secure: implicitTls,
      ...certificate,
      minVersion: 'TLSv1.2',
      authMethods: ['PLAIN', 'LOGIN'],
      authOptional: isMx,
      authRequiredMessage: '5.7.0 Authentication required',
      disabledCommands: ['WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD', ...(implicitTls ? ['STARTTLS'] : [])],
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      size: limits.messageBytes,
      maxRecipients: limits.recipients,
      maxClients: limits.connections,
      socketTimeout: limits.idleMs,
      closeTimeout: limits.stopMs,
      logger: false,
      ...handlers,
    });
    this.limits = limits;
    this.isMx = isMx;
    this.counts = counts;
  }

  override connect(socket: Socket): void {
    const connection = new SubmissionConnection(this, socket);
    const address = clientKey(connection.remoteAddress);
    const open = (this.counts.get(address) ?? 0) + 1;
    this.counts.set(address, open);
    this.connections.add(connection);
    connection.on('error', (error: Error) => this._onError(error));
    if (open <= this.limits.connectionsPerAddress) return connection.init();
    socket.on('error', () => undefined);
    socket.once('close', () => connection._onClose());
    connection.send(421, '4.7.0 Too many connections from your address', false);
  }

  ended(connection: SubmissionConnection): void {
    const address = clientKey(connection.remoteAddress);
    const open = (this.counts.get(address) ?? 1) - 1;
    if (open > 0) this.counts.set(address, open);
    else this.counts.delete(address);
  }

  /** Throws where the port cannot be had. */
  bind(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.listen({ port, host: host === '' ? undefined : host }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  /** Who is in the middle of a message may finish it, within the limit; the others are told at once. */
  stop(): Promise<void> {
    this.isStopping = true;
    return new Promise((resolve) => {
      this.close(() => resolve());
      for (const connection of this.connections) (connection as SubmissionConnection).endIfIdle();
    });
  }
}
