import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { AttemptDetail } from '#delivery';
import { PhaseClock, PhaseTimes } from './phase-clock.js';
import { activityOf, plainCause, SmtpFailure } from './smtp-failure.js';
import type { SmtpFailureKind } from './smtp-failure.js';
import { defaultTimeouts } from './smtp-options.js';
import type { SmtpHostOptions, SmtpPhase, SmtpTimeouts } from './smtp-options.js';
import { SmtpProtocolError, SmtpReplyParser } from './smtp-reply-parser.js';
import type { SmtpReply } from './smtp-reply-parser.js';
import { secured, tlsReport } from './tls-handshake.js';

/** Handles a channel after the handshake. */
export interface ChannelOwner {
  replyArrived(reply: SmtpReply): void;
  /** All bytes written before have reached the operating system. */
  drained(): void;
  idled(): void;
  /**
   * Called while the connection is silent in both directions and has been so for `waitedMs`. A returned reason ends the
   * connection before its deadline.
   */
  impatience(waitedMs: number): string | undefined;
  /** Called once, as the last call. */
  failed(failure: SmtpFailure): void;
}

interface Waiter {
  readonly resolve: (reply: SmtpReply) => void;
  readonly reject: (failure: SmtpFailure) => void;
}

/**
 * A socket that writes bytes and reads replies, with a deadline for each wait.
 *
 * The deadline restarts with each `await` and each complete reply, but never with a single byte, so that a server
 * cannot hold a message by sending slowly.
 */
export class SmtpChannel {
  /** The phase whose end is awaited. */
  phase: SmtpPhase = 'connect';
  /** Number of the read that is being handled, otherwise 0. */
  currentRead = 0;
  address: string | undefined;
  tls: AttemptDetail['tls'];
  isEncrypted = false;
  /** Durations of the handshake's phases. */
  readonly times = new PhaseTimes();

  readonly #timeouts: SmtpTimeouts;
  readonly #clock = new PhaseClock({
    allowedMs: () => this.#timeouts[this.phase],
    endsEarly: (waitedMs) => this.#endsEarly(waitedMs),
    timeIsUp: () => this.#timeIsUp(),
  });
  readonly #parser = new SmtpReplyParser();
  readonly #abort = (): SmtpFailure => this.fail('timeout', String(this.options.signal?.reason));
  readonly #take = (reply: SmtpReply): void => this.#replyArrived(reply);
  readonly #scratch = new Scratch();
  #socket: Socket;
  #reads = 0;
  #repliesInRead = 0;
  #owner: ChannelOwner | undefined;
  #waiter: Waiter | undefined;
  #failure: SmtpFailure | undefined;

  private constructor(private readonly options: SmtpHostOptions) {
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#socket = openSocket(options, (buffer, bytes) => this.#receive(buffer, bytes));
    this.#listen(this.#socket);
    options.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  static async connect(options: SmtpHostOptions): Promise<SmtpChannel> {
    const channel = new SmtpChannel(options);
    if (options.signal?.aborted === true) throw channel.#abort();
    await channel.#event('connect', 'connect');
    channel.address = addressOf(channel.#socket);
    return channel;
  }

  get isLoopback(): boolean {
    return isLoopback(this.#socket);
  }

  /** Writes the command, if given, and waits for one reply. For the handshake only. */
  async exchange(phase: SmtpPhase, command?: string): Promise<SmtpReply> {
    if (this.#failure !== undefined) throw this.#failure;
    const reply = new Promise<SmtpReply>((resolve, reject) => (this.#waiter = { resolve, reject }));
    if (command !== undefined) this.#socket.write(command, 'latin1');
    this.await(phase);
    return reply;
  }

  /**
   * Starts TLS on the connection. With `mustVerify` nothing is sent to a server whose certificate fails the check.
   *
   * Bytes that the server sent after its reply to STARTTLS were not encrypted and may be an attacker's. They end the
   * connection, so that they are never read as part of the protected session (CVE-2011-0411).
   */
  async startTls(mustVerify: boolean): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#parser.isWithinReply) throw this.fail('protocol', 'the server sent more than its reply to STARTTLS');
    const secure = secured(this.#socket, this.options);
    this.#socket = secure;
    this.#listen(secure);
    secure.on('data', (chunk: Buffer) => this.#receive(chunk, chunk.length));
    await this.#event('secureConnect', 'starttls');
    this.isEncrypted = true;
    this.tls = tlsReport(secure, mustVerify ? (this.options.certificate ?? {}) : undefined);
    const { certificateError } = this.tls;
    if (mustVerify && certificateError !== undefined) {
      throw this.fail('tls', `the certificate is not accepted: ${certificateError}`);
    }
  }

  /** Passes replies, progress and the end of the connection to `owner` from now on. */
  attach(owner: ChannelOwner): void {
    this.#owner = owner;
    this.options.signal?.removeEventListener('abort', this.#abort);
    this.#socket.on('drain', () => owner.drained());
    const failure = this.#failure;
    if (failure !== undefined) queueMicrotask(() => owner.failed(failure));
  }

  /** False if the bytes wait for the other side. `drained` follows. */
  write(bytes: Uint8Array): boolean {
    return this.#socket.write(bytes);
  }

  /**
   * Writes content and the commands after it in one system call. Calls `onSent` once the content's bytes are not needed
   * any more. `drained` does not tell that: it follows only where the socket's buffer was full.
   */
  send(content: Uint8Array, commands: string, onSent: () => void = () => undefined): void {
    const joined = this.#socket.writableLength > 0 ? undefined : this.#scratch.joined(content, commands);
    if (joined !== undefined) {
      this.#socket.write(joined);
      return onSent();
    }
    this.#socket.cork();
    this.#socket.write(content);
    this.#socket.write(commands, 'utf8', () => onSent());
    this.#socket.uncork();
  }

  /** Sets the phase that is awaited from now on, and starts its deadline. */
  await(phase: SmtpPhase): void {
    if (this.#failure !== undefined) return;
    this.phase = phase;
    // During a read, the deadline is set once at the end of the read instead of once per reply.
    if (this.currentRead === 0) this.#clock.start();
  }

  /** Ends the connection at once, with a reason. */
  fail(kind: SmtpFailureKind, message: string, reply?: SmtpReply): SmtpFailure {
    const host = this.options.hostName ?? this.options.host;
    const failure = new SmtpFailure(kind, this.phase, `${host}: ${message}`, reply);
    failure.address = this.address;
    failure.host = host;
    failure.tls = this.tls;
    if (this.#owner === undefined && this.#failure === undefined) {
      this.times.ended(this.phase);
      failure.timings = this.times.after();
    }
    return this.#end(failure);
  }

  /** Calls back when the connection is closed, or at once if it is closed already. */
  whenClosed(listener: () => void): void {
    if (this.#socket.closed) listener();
    else this.#socket.once('close', listener);
  }

  #listen(socket: Socket): void {
    // Once TLS is on top of the plain socket, the events of the plain socket are ignored.
    whenOver(socket, (error) => {
      if (socket !== this.#socket) return;
      if (error === undefined) this.#disconnected('the connection was closed');
      else this.#socketFailed(error);
    });
  }

  async #event(name: 'connect' | 'secureConnect', phase: SmtpPhase): Promise<void> {
    this.await(phase);
    await new Promise<void>((resolve, reject) => {
      this.#waiter = { resolve: () => resolve(), reject };
      this.#socket.once(name, () => {
        this.#waiter = undefined;
        this.times.ended(phase);
        resolve();
      });
    });
  }

  #receive(buffer: Buffer, bytes: number): void {
    if (this.#failure !== undefined) return;
    this.currentRead = ++this.#reads;
    this.#repliesInRead = 0;
    try {
      this.#parser.push(buffer, bytes, this.#take);
    } catch (error) {
      if (!(error instanceof SmtpProtocolError)) throw error;
      this.fail('protocol', error.message);
    } finally {
      this.currentRead = 0;
    }
    if (this.#repliesInRead > 0 && this.#failure === undefined) this.#clock.start();
  }

  #replyArrived(reply: SmtpReply): void {
    if (this.#failure !== undefined) return;
    this.#repliesInRead++;
    if (this.#owner !== undefined) return this.#owner.replyArrived(reply);
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter !== undefined) {
      this.times.ended(this.phase);
      return waiter.resolve(reply);
    }
    if (reply.code === 421) this.fail('refused', 'the server ended the session', reply);
    else this.fail('protocol', 'the server replied before a command was sent');
  }

  #socketFailed(error: NodeJS.ErrnoException): void {
    const failure = ownAddressFailure(error, this.phase, this.options.localAddress);
    const cause = error.code ?? error.message;
    if (failure !== undefined) this.#end(failure);
    else if (this.phase === 'starttls') this.fail('tls', `TLS could not be started: ${cause}`);
    else this.#disconnected(plainCause(cause));
  }

  #disconnected(cause: string): void {
    if (this.phase === 'starttls') this.fail('tls', 'the connection was closed while starting TLS');
    else this.fail('disconnected', `${cause} while ${activityOf(this.phase)}`);
  }

  #endsEarly(waitedMs: number): boolean {
    const impatience = this.#owner?.impatience(waitedMs);
    if (impatience === undefined) return false;
    this.fail('timeout', `${impatience} while ${activityOf(this.phase)}`);
    return true;
  }

  #timeIsUp(): void {
    if (this.phase === 'idle' && this.#owner !== undefined) return this.#owner.idled();
    // A TLS handshake that hangs is treated like one that fails.
    this.fail(this.phase === 'starttls' ? 'tls' : 'timeout', `timed out while ${activityOf(this.phase)}`);
  }

  #end(failure: SmtpFailure): SmtpFailure {
    if (this.#failure !== undefined) return this.#failure;
    this.#failure = failure;
    this.options.signal?.removeEventListener('abort', this.#abort);
    this.#clock.stop();
    this.#socket.destroy();
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.reject(failure);
    this.#owner?.failed(failure);
    return failure;
  }
}

const size = 16_384;

/**
 * A buffer that is used for one write after the other. It is free again once all bytes written have reached the
 * operating system.
 */
class Scratch {
  #buffer: Buffer | undefined;

  /** The content followed by the commands; undefined if they may not fit. */
  joined(content: Uint8Array, commands: string): Uint8Array | undefined {
    // UTF-8 takes at most three bytes for one UTF-16 unit.
    if (content.length + commands.length * 3 > size) return undefined;
    const buffer = (this.#buffer ??= Buffer.allocUnsafeSlow(size));
    buffer.set(content);
    return buffer.subarray(0, content.length + buffer.write(commands, content.length, 'utf8'));
  }
}

const readBufferSize = 16_384;

/** Starts to connect. `receive` gets the bytes in a buffer that is reused after it returns. */
function openSocket(options: SmtpHostOptions, receive: (buffer: Buffer, bytes: number) => void): Socket {
  return connect({
    host: options.host,
    port: options.port,
    localAddress: options.localAddress,
    noDelay: true,
    keepAlive: true,
    onread: {
      // One buffer for the life of the connection: the parser keeps no reference to it.
      buffer: Buffer.allocUnsafeSlow(readBufferSize),
      callback: (bytes, buffer) => {
        receive(buffer as Buffer, bytes);
        return true;
      },
    },
  });
}

/** Address and port of the remote side, in the form used in outcomes. */
function addressOf({ remoteAddress = '', remotePort }: Socket): string {
  return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}

function isLoopback({ remoteAddress = '' }: Socket): boolean {
  return /^(?:::ffff:)?127\./.test(remoteAddress) || remoteAddress === '::1';
}

/**
 * Calls back when the remote side has ended the connection, or with an error when the connection broke. It may call
 * back several times.
 */
function whenOver(socket: Socket, listener: (error?: NodeJS.ErrnoException) => void): void {
  socket.on('error', listener);
  // All replies sent before the remote side's FIN have been read at this point.
  socket.on('end', () => listener());
  socket.on('close', () => listener());
}

/** The failure if this machine does not have the configured source address. */
function ownAddressFailure(
  { code }: NodeJS.ErrnoException,
  phase: SmtpPhase,
  localAddress: string | undefined,
): SmtpFailure | undefined {
  if (code !== 'EADDRNOTAVAIL' || localAddress === undefined) return undefined;
  const failure = new SmtpFailure('policy', phase, `This machine cannot send from ${localAddress}`);
  failure.isOurs = true;
  return failure;
}
