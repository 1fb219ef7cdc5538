import type { Socket } from 'node:net';
import { chosenByName, HostCertificates } from '#http/tls';
import { clientKey, clientNetwork } from '#kernel';
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { ConnectionPlaces, NoPlace, Place, PlaceHolder } from '../../domain/connection-places.js';
import { waitForWork, WorkAllowance } from '../../domain/work-allowance.js';
import { ArrivedConnection, Connection } from './connection.js';
import { NoProxyHeaderError, readProxiedClient } from './proxy-header.js';
import { LibraryServer } from './smtp-library.js';
import { maxArrivalWaitMs, prices, SmtpLimits } from './smtp-limits.js';

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
  /** Certificates for the names that clients ask for. Default: one certificate for all. */
  readonly hosts?: HostCertificates;
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
    const { hostName, implicitTls, isMx, isSubmission, certificate, hosts, limits, arrivals, work, handlers } = options;
    const { onAuth, onMailFrom, onRcptTo, onData } = handlers;
    super({
      name: hostName,
      banner: 'Postrider',
      heloResponse: '%s',
      secure: implicitTls,
      ...certificate,
      ...(hosts === undefined ? {} : { SNICallback: chosenByName(hosts) }),
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

const refusals: Readonly<Record<NoPlace, string>> = {
  client: '421 4.7.0 Too many connections from your address',
  network: '421 4.7.0 Too many connections from your network',
  team: '421 4.7.0 Too many connections of your team',
  total: '421 4.3.2 Too many connections, try again in a moment',
};
/** Time for the client to read a refusal, in ms. */
const lingerMs = 1_000;

/** A socket that is not yet a connection. */
class ArrivingSocket implements PlaceHolder {
  connection: Connection | undefined;

  constructor(
    readonly socket: Socket,
    readonly implicitTls: boolean,
    /** Destroys the socket, including the TLS socket on top of it. */
    private readonly drop: () => void,
  ) {}

  get isIdle(): boolean {
    return this.connection?.isIdle ?? true;
  }

  evict(): void {
    if (this.connection === undefined) this.drop();
    else this.connection.evict();
  }
}

/**
 * Decides on each socket of all ports before anything is done for it: determines the client, takes a place for it, and
 * checks whether its network has used too much CPU recently.
 */
export class Arrivals {
  constructor(
    private readonly places: ConnectionPlaces,
    private readonly work: WorkAllowance,
    /** Whether connections from this address begin with a PROXY header. */
    private readonly isProxy: (address: string) => boolean,
  ) {}

  /** Rejects if the socket may not become a connection. A reason has been sent if the client could read it. */
  async admit(arriving: ArrivingSocket): Promise<ArrivedConnection> {
    const { socket, implicitTls } = arriving;
    const peer = socket.remoteAddress ?? '';
    const proxied = this.isProxy(peer) ? await readProxiedClient(socket) : undefined;
    const address = proxied?.address ?? peer;
    const network = clientNetwork(address);
    const owner = `network ${network}`;
    const costMs = prices.ofConnection(implicitTls);
    const waitMs = this.work.charge(owner, costMs, performance.now());
    if (waitMs > maxArrivalWaitMs) throw new Error('The network of the client has cost too much');
    const place = this.places.take(clientKey(address), network, arriving);
    if (!(place instanceof Place)) return refuse(arriving, refusals[place]);
    socket.once('close', () => place.release());
    if (waitMs > 0) await this.turn(owner, waitMs);
    if (socket.destroyed) throw new Error('The client has left');
    return { remoteAddress: address, remotePort: proxied?.port, place, owner, costMs };
  }

  private turn(owner: string, waitMs: number): Promise<void> {
    return new Promise((goOn) => waitForWork(this.work, owner, waitMs, { isGone: () => false, goOn }));
  }
}

/** Over TLS nothing can be sent before the handshake, which is too expensive for a client over a limit. */
function refuse({ socket, implicitTls }: ArrivingSocket, text: string): never {
  if (!implicitTls) {
    socket.end(`${text}\r\n`);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
  throw new Error(text);
}
