import type { Socket } from 'node:net';
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { WorkAllowance } from '../../domain/work-allowance.js';
import { Arrivals, ArrivingSocket } from './arrivals.js';
import { ArrivedConnection, Connection } from './connection.js';
import { NoProxyHeaderError } from './proxy-header.js';
import { LibraryServer } from './smtp-library.js';
import { SmtpLimits } from './smtp-limits.js';

export interface SmtpHandlers extends Required<
  Pick<SMTPServerOptions, 'onAuth' | 'onMailFrom' | 'onRcptTo' | 'onData'>
> {
  /** Resolves when the content may be sent. */
  readonly admitContent: (session: SMTPServerSession) => Promise<void>;
  /** Called if admitted content will not arrive. */
  readonly abandon: (session: SMTPServerSession) => void;
  /** Called when the client's data is not read until `resume`. */
  readonly hold: (session: SMTPServerSession) => void;
  readonly resume: (session: SMTPServerSession) => void;
  /** Called with the first command after a message was accepted: the client has read the reply. */
  readonly confirm: (session: SMTPServerSession) => Promise<void> | undefined;
}

export interface SmtpServerOptions {
  readonly hostName: string;
  readonly implicitTls: boolean;
  /**
   * Whether mail to the service itself and to domains that receive here needs no login. Mail to be sent always needs
   * one.
   */
  readonly isMx: boolean;
  /** Whether clients may log in and send mail to others. */
  readonly isSubmission: boolean;
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly limits: SmtpLimits;
  readonly arrivals: Arrivals;
  readonly work: WorkAllowance;
  readonly handlers: SmtpHandlers;
}

/** Client-initiated renegotiation costs a handshake each time. Node.js has no name for this OpenSSL option. */
const noRenegotiation = 1 << 30;

/**
 * SMTP on one port: for mail servers without a login (`isMx`), for submission with a login (RFC 6409), or for both.
 * ESMTP with PIPELINING, SIZE, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES, STARTTLS and, once encrypted, AUTH. CHUNKING
 * (RFC 3030) is not offered, because the library has no BDAT.
 */
export class SmtpServer extends LibraryServer {
  readonly limits: SmtpLimits;
  readonly isMx: boolean;
  readonly work: WorkAllowance;
  isStopping = false;
  private readonly arrivals: Arrivals;
  private readonly handlers: SmtpHandlers;
  private readonly implicitTls: boolean;

  constructor(options: SmtpServerOptions) {
    const { hostName, implicitTls, isMx, isSubmission, certificate, limits, arrivals, work, handlers } = options;
    const { onAuth, onMailFrom, onRcptTo, onData } = handlers;
    super({
      name: hostName,
      banner: 'Postrider',
      heloResponse: '%s',
      secure: implicitTls,
      ...certificate,
      minVersion: 'TLSv1.2',
      secureOptions: noRenegotiation,
      authMethods: ['PLAIN', 'LOGIN'],
      authOptional: isMx,
      authRequiredMessage: '5.7.0 Authentication required',
      disabledCommands: disabledCommands(implicitTls, isSubmission),
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      size: limits.messageBytes,
      maxRecipients: limits.recipients,
      socketTimeout: limits.idleMs,
      closeTimeout: limits.stopMs,
      logger: false,
      onAuth,
      onMailFrom,
      onRcptTo,
      onData,
    });
    this.limits = limits;
    this.isMx = isMx;
    this.implicitTls = implicitTls;
    this.arrivals = arrivals;
    this.work = work;
    this.handlers = handlers;
  }

  override connect(socket: Socket, arrival: SMTPConnectionOptions): void {
    const { settle, ...rest } = arrival as SettledArrival;
    const connection = new Connection(this, socket, rest);
    settle(connection);
    this.connections.add(connection);
    connection.on('error', (error: Error) => this._onError(error));
    connection.init();
  }

  admitContent(session: SMTPServerSession): Promise<void> {
    return this.handlers.admitContent(session);
  }

  abandon(session: SMTPServerSession): void {
    this.handlers.abandon(session);
  }

  hold(session: SMTPServerSession): void {
    this.handlers.hold(session);
  }

  resume(session: SMTPServerSession): void {
    this.handlers.resume(session);
  }

  confirm(session: SMTPServerSession): Promise<void> | undefined {
    return this.handlers.confirm(session);
  }

  /** Rejects if the port cannot be opened. */
  bind(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.listen({ port, host: host === '' ? undefined : host }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  /** Clients in the middle of a message may finish it, within the limit. The others are disconnected at once. */
  stop(): Promise<void> {
    this.isStopping = true;
    return new Promise((resolve) => {
      this.close(() => resolve());
      for (const connection of this.connections) (connection as Connection).endIfIdle();
    });
  }

  protected override async welcome(socket: Socket): Promise<SettledArrival> {
    const arriving = new ArrivingSocket(socket, this.implicitTls, () => this.drop(socket));
    const tooSlow = setTimeout(() => this.drop(socket), this.limits.arrivalMs);
    socket.once('close', () => clearTimeout(tooSlow));
    const arrival = await this.arrivals.admit(arriving).catch((error: unknown) => {
      // A socket that is ending still has a reply to deliver.
      if (!socket.writableEnded) this.drop(socket);
      if (error instanceof NoProxyHeaderError) this._onError(error);
      throw error;
    });
    const settle = (connection: Connection): void => {
      clearTimeout(tooSlow);
      arriving.connection = connection;
    };
    return { ...arrival, settle };
  }
}

function disabledCommands(implicitTls: boolean, isSubmission: boolean): string[] {
  const always = ['WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'];
  return [...always, ...(implicitTls ? ['STARTTLS'] : []), ...(isSubmission ? [] : ['AUTH'])];
}

interface SettledArrival extends ArrivedConnection {
  /** Called when the socket has become a connection. */
  readonly settle: (connection: Connection) => void;
}
