import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { DotStuffing } from '../../domain/dot-stuffing.js';
import { refusalOf } from './smtp-refusal.js';

/*
 * The only file that reaches into private parts of `smtp-server`, whose exact version package.json names: its names that
 * begin with `_` and `handler_`. test/integration/smtp-library.test.ts tells when a new version has changed them.
 */

type Done = (error?: Error | null) => void;

const lf = 0x0a;

/** The bytes of one client: lines while it gives commands, content after DATA. */
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

  /** A part of a line is only kept: the library searches all that it has of the line for each part that comes. */
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
   * CPU. Here a chunk is one write, whatever its lines are, and the next chunk waits until this one has been taken.
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
    // A stream that is destroyed never drains, it only closes.
    stream.once('drain', resume);
    stream.once('close', resume);
  }
}

/** A connection of the library, with the places where a server of our own decides. */
export abstract class LibraryConnection extends SMTPConnection {
  /** The TLS socket once a handshake has begun. The one below it must not be destroyed itself. */
  private topSocket: Socket | undefined;

  /** A message is on its way in, or a reply of ours is awaited. */
  get isBusy(): boolean {
    return this._handlerPending || (this._dataStream !== false && this._dataStream !== null);
  }

  get isOpen(): boolean {
    return !this._closing && !this._closed;
  }

  get isUpgrading(): boolean {
    return this._upgrading;
  }

  /** Who has not logged in. */
  get isVisitor(): boolean {
    return isVisitor(this.session);
  }

  /** Said MAIL, in this transaction or an earlier one. */
  get hasBegun(): boolean {
    return this._transactionCounter > 0 || Boolean(this.session.envelope?.mailFrom);
  }

  /** Resolves when the content may come; a rejection is the reply to DATA. */
  protected abstract admitContent(): Promise<void>;
  /** Admitted content that never comes: the client has left. */
  protected abstract abandonContent(): void;
  protected abstract onCommand(line: Buffer, goOn: () => void): void;
  protected abstract onContent(bytes: number, goOn: () => void): void;
  /** Once. */
  protected abstract onEnd(): void;

  /** Hangs up once what was said last has been sent. */
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
    this.onCommand(line, () => super._onCommand(line, callback));
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

/** A server of the library that decides on each socket before anything is read from it, TLS included. */
export abstract class LibraryServer extends SMTPServer {
  /** Resolves when a session may begin. Where it rejects, it has ended the socket or lets it be destroyed. */
  protected abstract welcome(socket: Socket): Promise<SMTPConnectionOptions>;

  /** Ends a socket that has no connection yet. One below a TLS handshake must not be destroyed itself. */
  protected drop(socket: Socket): void {
    (this._pendingSockets.get(socket) ?? socket).destroy();
  }

  /** The library guards the sockets of which it expects a header until they have a connection: let it be all. */
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

/** Who has not logged in. */
export function isVisitor({ user }: SMTPServerSession): boolean {
  return user === undefined || (user as unknown) === false;
}
