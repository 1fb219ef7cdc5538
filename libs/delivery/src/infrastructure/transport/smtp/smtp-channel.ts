import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { AttemptDetail } from '../../../domain/delivery-outcome.js';
import { Deadline } from './deadline.js';
import { PhaseTimes } from './phase-times.js';
import { activityOf, SmtpFailure } from './smtp-failure.js';
import type { SmtpFailureKind } from './smtp-failure.js';
import { defaultTimeouts } from './smtp-options.js';
import type { SmtpHostOptions, SmtpPhase, SmtpTimeouts } from './smtp-options.js';
import { SmtpReplyParser, SmtpProtocolError } from './smtp-reply-parser.js';
import type { SmtpReply } from './smtp-reply.js';
import { secured, tlsReport } from './tls-handshake.js';

/** Takes over a channel after the handshake. */
export interface ChannelOwner {
  replyArrived(reply: SmtpReply): void;
  /** Everything written before has reached the operating system. */
  drained(): void;
  idled(): void;
  /** Asked while the connection is silent in both directions, for `waitedMs` by now: a reason ends it before its deadline. */
  impatience(waitedMs: number): string | undefined;
  /** Called once, last. */
  failed(failure: SmtpFailure): void;
}

interface Waiter {
  readonly resolve: (reply: SmtpReply) => void;
  readonly reject: (failure: SmtpFailure) => void;
}

const readBufferSize = 16_384;
const scratchSize = 16_384;
/** How often a connection on which nothing happens is looked at. */
const lookEveryMs = 5_000;

/**
 * A socket that writes bytes and reads replies, with a deadline on whatever is awaited.
 *
 * The time allowed starts anew with each `await` and each complete reply, never with a mere byte, so that a server
 * cannot hold a message by dribbling.
 */
export class SmtpChannel {
  /** What is awaited now. */
  phase: SmtpPhase = 'connect';
  /** Counts reads; while one is being handled it is that read's number, otherwise 0. */
  currentRead = 0;
  address: string | undefined;
  tls: AttemptDetail['tls'];
  isEncrypted = false;
  /** Of the handshake. */
  readonly times = new PhaseTimes();

  readonly #timeouts: SmtpTimeouts;
  readonly #deadline = new Deadline(() => this.#deadlinePassed());
  readonly #parser = new SmtpReplyParser();
  readonly #abort = (): SmtpFailure => this.fail('timeout', String(this.options.signal?.reason));
  readonly #take = (reply: SmtpReply): void => this.#replyArrived(reply);
  #socket: Socket;
  #scratch: Buffer | undefined;
  #reads = 0;
  #waitsSince = 0;
  #repliesInRead = 0;
  #owner: ChannelOwner | undefined;
  #waiter: Waiter | undefined;
  #failure: SmtpFailure | undefined;

  private constructor(private readonly options: SmtpHostOptions) {
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#socket = connect({
      host: options.host,
      port: options.port,
      localAddress: options.localAddress,
      noDelay: true,
      keepAlive: true,
      onread: {
        // One buffer for the life of the connection: the parser keeps nothing of it.
        buffer: Buffer.allocUnsafeSlow(readBufferSize),
        callback: (bytes, buffer) => {
          this.#receive(buffer as Buffer, bytes);
          return true;
        },
      },
    });
    this.#listen(this.#socket);
    options.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  static async connect(options: SmtpHostOptions): Promise<SmtpChannel> {
    const channel = new SmtpChannel(options);
    if (options.signal?.aborted === true) throw channel.#abort();
    await channel.#event('connect', 'connect');
    const { remoteAddress = '', remotePort } = channel.#socket;
    channel.address = remoteAddress.includes(':')
      ? `[${remoteAddress}]:${remotePort}`
      : `${remoteAddress}:${remotePort}`;
    return channel;
  }

  get isLoopback(): boolean {
    const address = this.#socket.remoteAddress ?? '';
    return /^(?:::ffff:)?127\./.test(address) || address === '::1';
  }

  /** Writes a command, where there is one, and waits for one reply. For the handshake only. */
  async exchange(phase: SmtpPhase, command?: string): Promise<SmtpReply> {
    if (this.#failure !== undefined) throw this.#failure;
    const reply = new Promise<SmtpReply>((resolve, reject) => (this.#waiter = { resolve, reject }));
    if (command !== undefined) this.#socket.write(command, 'latin1');
    this.await(phase);
    return reply;
  }

  /**
   * Starts TLS on the connection. With `mustVerify` nothing is sent to a server whose certificate does not do.
   *
   * Whatever the server sent after its answer to STARTTLS came in the clear and may be an attacker's: it ends the
   * connection, instead of being read as part of the protected session (CVE-2011-0411).
   */
  async startTls(mustVerify: boolean): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#parser.isWithinReply) throw this.fail('protocol', 'the server sent more than its answer to STARTTLS');
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

  /** Hands replies, progress and the end of the connection to `owner` from now on. */
  attach(owner: ChannelOwner): void {
    this.#owner = owner;
    this.options.signal?.removeEventListener('abort', this.#abort);
    this.#socket.on('drain', () => owner.drained());
    const failure = this.#failure;
    if (failure !== undefined) queueMicrotask(() => owner.failed(failure));
  }

  /** False where the bytes wait for the other side; `drained` follows. */
  write(bytes: Uint8Array): boolean {
    return this.#socket.write(bytes);
  }

  /** Writes content and the commands that follow it in one system call. False where it still needs the content's bytes. */
  send(content: Uint8Array, commands: string): boolean {
    // The scratch buffer is free again once all that was written has reached the operating system. Three bytes are
    // the most that UTF-8 takes for one UTF-16 unit.
    if (this.#socket.writableLength > 0 || content.length + commands.length * 3 > scratchSize) {
      this.#socket.cork();
      this.#socket.write(content);
      this.#socket.write(commands, 'utf8');
      this.#socket.uncork();
      return this.#socket.writableLength === 0;
    }
    const scratch = (this.#scratch ??= Buffer.allocUnsafeSlow(scratchSize));
    scratch.set(content);
    const length = content.length + scratch.write(commands, content.length, 'utf8');
    this.#socket.write(scratch.subarray(0, length));
    return true;
  }

  /** Says what is awaited from now on, and starts the time allowed for it. */
  await(phase: SmtpPhase): void {
    if (this.#failure !== undefined) return;
    this.phase = phase;
    // Once a read, at its end, instead of once a reply.
    if (this.currentRead === 0) this.#allowTime();
  }

  /** Ends the connection at once and for a reason. */
  fail(kind: SmtpFailureKind, message: string, reply?: SmtpReply): SmtpFailure {
    const failure = new SmtpFailure(
      kind,
      this.phase,
      `${this.options.hostName ?? this.options.host}: ${message}`,
      reply,
    );
    failure.address = this.address;
    failure.host = this.options.hostName ?? this.options.host;
    failure.tls = this.tls;
    if (this.#owner === undefined && this.#failure === undefined) {
      this.times.ended(this.phase);
      failure.timings = this.times.after();
    }
    return this.#end(failure);
  }

  /** Calls back when the connection is no more, at once where it is gone already. */
  whenClosed(listener: () => void): void {
    if (this.#socket.closed) listener();
    else this.#socket.once('close', listener);
  }

  #listen(socket: Socket): void {
    // Once TLS is on top of it, the plain socket has nothing to say.
    const isInUse = (): boolean => socket === this.#socket;
    const closed = (): void => {
      if (isInUse()) this.#disconnected('the connection was closed');
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (isInUse()) this.#socketFailed(error);
    });
    // All replies sent before the other side's FIN have been read by now.
    socket.on('end', closed);
    socket.on('close', closed);
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
    if (this.#repliesInRead > 0 && this.#failure === undefined) this.#allowTime();
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
    else this.fail('protocol', 'the server replied before it was asked');
  }

  #socketFailed(error: NodeJS.ErrnoException): void {
    const cause = error.code ?? error.message;
    if (cause === 'EADDRNOTAVAIL' && this.options.localAddress !== undefined) {
      const failure = new SmtpFailure(
        'policy',
        this.phase,
        `This machine cannot send from ${this.options.localAddress}`,
      );
      failure.isOurs = true;
      return void this.#end(failure);
    }
    if (this.phase === 'starttls') this.fail('tls', `TLS could not be started: ${cause}`);
    else this.#disconnected(cause);
  }

  #disconnected(cause: string): void {
    if (this.phase === 'starttls') this.fail('tls', 'the connection was closed while starting TLS');
    else this.fail('disconnected', `${cause} while ${activityOf(this.phase)}`);
  }

  #allowTime(): void {
    this.#waitsSince = performance.now();
    this.#deadline.set(Math.min(this.#timeouts[this.phase], lookEveryMs));
  }

  #deadlinePassed(): void {
    const waitedMs = performance.now() - this.#waitsSince;
    const leftMs = this.#timeouts[this.phase] - waitedMs;
    if (leftMs > 0) {
      const impatience = this.#owner?.impatience(waitedMs);
      if (impatience === undefined) return this.#deadline.set(Math.min(leftMs, lookEveryMs));
      return void this.fail('timeout', `${impatience} while ${activityOf(this.phase)}`);
    }
    if (this.phase === 'idle' && this.#owner !== undefined) return this.#owner.idled();
    // A handshake that hangs is as good as one that breaks.
    this.fail(this.phase === 'starttls' ? 'tls' : 'timeout', `timed out while ${activityOf(this.phase)}`);
  }

  #end(failure: SmtpFailure): SmtpFailure {
    if (this.#failure !== undefined) return this.#failure;
    this.#failure = failure;
    this.options.signal?.removeEventListener('abort', this.#abort);
    this.#deadline.stop();
    this.#socket.destroy();
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.reject(failure);
    this.#owner?.failed(failure);
    return failure;
  }
}
