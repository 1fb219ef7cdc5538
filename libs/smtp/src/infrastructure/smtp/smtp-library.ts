import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { DotStuffing } from '../../domain/arriving-content.js';
import { refusalOf } from './smtp-refusal.js';

/*
 * This is the only file that uses private members of `smtp-server`: those whose names begin with `_` or `handler_`.
 * package.json pins the exact version, and test/integration/smtp-library.test.ts detects changes in a new one.
 */

type Done = (error?: Error | null) => void;

const lf = 0x0a;

/** The bytes of one client: command lines, and content after DATA. */
class ClientStream extends SMTPStream {
  private dots = new DotStuffing();

  constructor(
    maxCommandLength: number | undefined,
    private readonly onContent: (bytes: number, next: () => void) => void,
  ) {
    super({ maxCommandLength });
  }

  override startDataMode(maxBytes?: number | string | null): ReturnType<SMTPStream['startDataMode']> {
    this.dots = new DotStuffing();
    return super.startDataMode(maxBytes);
  }

  /** A part of a line is only stored, because the library searches the whole line again for each part that arrives. */
  override _write(chunk: Buffer, encoding: BufferEncoding | 'buffer', next: Done): void {
    const isPart = !this._dataMode && !this.isClosed && chunk.length > 0 && !chunk.includes(lf);
    if (!isPart || this._remainder.length + chunk.length > this._maxCommandLength) {
      return super._write(chunk, encoding, next);
    }
    this._remainder += chunk.toString('latin1');
    next();
  }

  /**
   * The library gives each dot-stuffed line a turn of the event loop and a write of its own: 8 MB of them cost 5.3 s of
   * CPU. Here each chunk is one write, and the next chunk waits until this one has been taken.
   */
  override _feedDataStream(chunk: Buffer, done: Done): void {
    const stream = this._dataStream;
    if (stream === null) return done();
    const { content, rest } = this.dots.push(chunk);
    this._countDataBytes(content.length);
    if (rest !== undefined) return this.onContent(chunk.length, () => this._endDataMode(content, rest, done));
    const goOn = (): void => this.onContent(chunk.length, done);
    if (content.length === 0 || !stream.writable || stream.write(content) || stream.destroyed) return goOn();
    const resume = (): void => {
      stream.off('drain', resume);
      stream.off('close', resume);
      goOn();
    };
    // A destroyed stream emits only `close` and never `drain`.
    stream.once('drain', resume);
    stream.once('close', resume);
  }
}

/** A connection of the library, with hooks for the decisions of our server. */
export abstract class LibraryConnection extends SMTPConnection {
  /** The TLS socket once a handshake has begun. The socket below it must not be destroyed directly. */
  private topSocket: Socket | undefined;

  /** Whether a message is being received, or the client waits for our reply. */
  get isBusy(): boolean {
    return this._handlerPending || (this._dataStream !== false && this._dataStream !== null);
  }

  get isOpen(): boolean {
    return !this._closing && !this._closed;
  }

  get isUpgrading(): boolean {
    return this._upgrading;
  }

  /** Whether the client has not logged in. */
  get isVisitor(): boolean {
    return isVisitor(this.session);
  }

  /** Whether the client has sent MAIL, in this transaction or an earlier one. */
  get hasBegun(): boolean {
    return this._transactionCounter > 0 || Boolean(this.session.envelope?.mailFrom);
  }

  /** Resolves when the content may be sent. A rejection is the reply to DATA. */
  protected abstract admitContent(): Promise<void>;
  /** Called if admitted content will not arrive because the client has left. */
  protected abstract abandonContent(): void;
  protected abstract onCommand(line: Buffer, goOn: () => void): void;
  /** The line as the strict parser of the library takes it. */
  protected abstract tolerated(line: Buffer): Buffer;
  protected abstract onContent(bytes: number, goOn: () => void): void;
  /** Called once. */
  protected abstract onEnd(): void;

  /** Closes the connection once the last reply has been sent. */
  protected hangUp(): void {
    const socket = this.topSocket ?? this._socket;
    if (this._upgrading) socket.destroy();
    else socket.destroySoon();
  }

  override _armTimeout(socket?: Socket): void {
    this.topSocket = socket;
    super._armTimeout(socket);
  }

  override _createParser(): SMTPStream {
    const parser = new ClientStream(this._server.options.maxCommandLength, (bytes, goOn) =>
      this.onContent(bytes, goOn),
    );
    parser.oncommand = (line, callback) => this._onCommand(line, callback);
    parser.on('error', (error: Error) => this.send(421, `Error: ${error.message}`));
    return parser;
  }

  override _onCommand(line: Buffer, callback?: () => void): void {
    this.onCommand(line, () => super._onCommand(this.tolerated(line), callback));
  }

  override handler_DATA(line: Buffer, callback: () => void): void {
    if (this.session.envelope.rcptTo.length === 0) return super.handler_DATA(line, callback);
    this.admitContent().then(
      () => {
        if (this.isOpen) return super.handler_DATA(line, callback);
        this.abandonContent();
        callback();
      },
      (error: unknown) => {
        const refusal = refusalOf(error);
        this.send(refusal.responseCode, refusal.message);
        callback();
      },
    );
  }

  override _onClose(): void {
    const isFirst = !this._closed;
    super._onClose();
    if (isFirst) this.onEnd();
  }
}

/** A server of the library that decides on each socket before anything is read from it, including TLS. */
export abstract class LibraryServer extends SMTPServer {
  /** Resolves when a session may begin. If it rejects, it has ended the socket or lets it be destroyed. */
  protected abstract welcome(socket: Socket): Promise<SMTPConnectionOptions>;

  /** Destroys a socket that has no connection yet. A socket below a TLS handshake must not be destroyed directly. */
  protected drop(socket: Socket): void {
    (this._pendingSockets.get(socket) ?? socket).destroy();
  }

  /** Always true: the library keeps track of the sockets whose header it expects until they have a connection. */
  override _expectsProxyHeader(): boolean {
    return true;
  }

  override _handleProxy(socket: Socket, callback: Parameters<SMTPServer['_handleProxy']>[1]): void {
    socket.on('error', () => undefined);
    this.welcome(socket).then(
      (options) => callback(null, { id: randomUUID(), ...options }),
      (error: Error) => callback(error),
    );
  }
}

/** Whether the client has not logged in. */
export function isVisitor({ user }: SMTPServerSession): boolean {
  return user === undefined || (user as unknown) === false;
}
