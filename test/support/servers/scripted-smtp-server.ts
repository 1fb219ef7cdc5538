import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { TLSSocketOptions } from 'node:tls';
import { testCertificate } from './test-certificate.js';
import { Act, phaseOfVerb, Script, ServerPhase, wellBehaved } from './smtp-acts.js';

export * from './smtp-acts.js';

/** One connection, as an observer of the server sees it. */
export interface Conversation {
  /** The port of the other side. */
  readonly peerPort: number;
  /** The recipients since the last MAIL. */
  readonly recipients: readonly string[];
}

/**
 * Called for each phase before its act, for `content` when a part of it has arrived, and for `replied` when the reply to it
 * was sent. The act waits for the returned promise.
 */
export type PhaseWatch = (
  phase: ServerPhase | 'content' | 'replied',
  conversation: Conversation,
) => Promise<void> | undefined;

export interface ScriptedServerOptions {
  readonly host?: string;
  readonly port?: number;
  readonly watch?: PhaseWatch;
}

/** An SMTP server that misbehaves as its script says and records what it receives. */
export class ScriptedSmtpServer {
  /** Every command line, and `.` for each end of content. */
  readonly commands: string[] = [];
  /** The received contents, dot-stuffed, without the final dot. */
  readonly contents: string[] = [];
  connectionCount = 0;
  bytesReceived = 0;
  bytesSent = 0;

  readonly #uses = new Map<ServerPhase, number>();
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly script: Script,
    readonly watch: PhaseWatch | undefined,
  ) {}

  static async listen(
    script: Script = {},
    { host = '127.0.0.1', port = 0, watch }: ScriptedServerOptions = {},
  ): Promise<ScriptedSmtpServer> {
    const server = createServer({ noDelay: true });
    const scripted = new ScriptedSmtpServer(server, script, watch);
    server.on('connection', (socket) => scripted.#accept(socket));
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return scripted;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #accept(socket: Socket): void {
    this.connectionCount++;
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    const session = new ScriptedSession(socket, (phase) => this.#nextAct(phase), this);
    socket.on('data', (chunk: Buffer) => session.receive(chunk));
    session.perform('banner');
  }

  #nextAct(phase: ServerPhase): Act {
    const scripted = this.script[phase] ?? wellBehaved[phase];
    const acts = Array.isArray(scripted) ? (scripted as readonly Act[]) : [scripted as Act];
    const use = this.#uses.get(phase) ?? 0;
    this.#uses.set(phase, use + 1);
    return acts[Math.min(use, acts.length - 1)] as Act;
  }
}

class ScriptedSession implements Conversation {
  readonly peerPort: number;
  recipients: readonly string[] = [];
  #pending = '';
  #isInContent = false;
  #hasContent = false;
  #nonsense: string | undefined;
  #isOver = false;
  #interruption: { bytes: number; readonly last: string | undefined } | undefined;
  /** Each act waits for the end of the previous one. */
  #previousAct: Promise<void> | undefined;

  constructor(
    private socket: Socket,
    private readonly nextAct: (phase: ServerPhase) => Act,
    private readonly server: ScriptedSmtpServer,
  ) {
    this.peerPort = socket.remotePort ?? 0;
  }

  receive(chunk: Buffer): void {
    if (this.#isOver) return;
    this.server.bytesReceived += chunk.length;
    if (this.#interruption !== undefined && (this.#interruption.bytes -= chunk.length) <= 0) {
      return this.#interrupt(this.#interruption.last);
    }
    if (this.#nonsense !== undefined) return void this.#send(this.#nonsense);
    this.#pending += chunk.toString('latin1');
    while (!this.#isOver && (this.#isInContent ? this.#readContent() : this.#readCommand()));
  }

  perform(phase: ServerPhase): void {
    const act = this.nextAct(phase);
    if (phase === 'data' && 'text' in act) this.#isInContent = act.text.startsWith('354');
    if (act.kind === 'interrupt') this.#interruption = { bytes: act.bytes, last: act.last };
    this.#isOver =
      phase === 'quit' || act.kind === 'disconnect' || (act.kind === 'reply' && act.thenDisconnect === true);
    this.#then(this.server.watch?.(phase, this));
    if (this.#previousAct === undefined) this.#previousAct = this.#act(act);
    else this.#previousAct = this.#previousAct.then(() => this.#act(act));
    if (phase === 'dot') this.#told('replied');
    if (phase === 'quit') void this.#previousAct?.then(() => this.socket.end());
  }

  /** The next act waits for this one and for the previous one. */
  #then(step: Promise<void> | undefined): void {
    if (step === undefined) return;
    const previous = this.#previousAct;
    this.#previousAct = previous === undefined ? step : previous.then(() => step);
  }

  #told(phase: 'content' | 'replied'): void {
    const { watch } = this.server;
    if (watch === undefined) return;
    if (this.#previousAct === undefined) this.#previousAct = watch(phase, this);
    else this.#previousAct = this.#previousAct.then(() => watch(phase, this));
  }

  #readContent(): boolean {
    const end = this.#pending.startsWith('.\r\n') ? 0 : this.#pending.indexOf('\r\n.\r\n') + 2;
    if (end === 1) {
      if (this.#pending !== '' && !this.#hasContent) this.#told('content');
      this.#hasContent ||= this.#pending !== '';
      return false;
    }
    this.#hasContent = false;
    this.server.contents.push(this.#pending.slice(0, end));
    this.server.commands.push('.');
    this.#pending = this.#pending.slice(end + 3);
    this.#isInContent = false;
    this.perform('dot');
    return true;
  }

  #readCommand(): boolean {
    const end = this.#pending.indexOf('\r\n');
    if (end < 0) return false;
    const line = this.#pending.slice(0, end);
    this.#pending = this.#pending.slice(end + 2);
    this.server.commands.push(line);
    if (/^MAIL/i.test(line)) this.recipients = [];
    else if (/^RCPT/i.test(line)) this.recipients = [...this.recipients, line.slice(9, line.lastIndexOf('>'))];
    // The lines after AUTH LOGIN have no verb.
    this.perform(phaseOfVerb[(line.split(' ')[0] as string).toUpperCase()] ?? 'auth');
    return true;
  }

  #interrupt(last: string | undefined): void {
    this.#isOver = true;
    if (last === undefined) return void this.socket.destroy();
    this.#send(`${last}\r\n`);
    this.socket.pause();
  }

  /** Returns undefined if the act ends at once. */
  #act(act: Act): Promise<void> | undefined {
    switch (act.kind) {
      case 'reply':
        this.#send(`${act.text}\r\n`);
        if (act.thenDisconnect === true) this.socket.end();
        return undefined;
      case 'interrupt':
        this.#send(`${act.text}\r\n`);
        return undefined;
      case 'stopReading':
        this.#send(`${act.text}\r\n`);
        this.socket.pause();
        return undefined;
      case 'tls':
        this.#send(`${act.text}\r\n`);
        return void this.#startTls(act.options);
      case 'babble':
        this.#nonsense = act.nonsense;
        return void this.#send(`${act.text}\r\n`);
      case 'trickle':
        return this.#trickle(act.text, act.everyMs);
      case 'dribble':
        return this.#dribble(`${act.text}\r\n`);
      case 'endless':
        return this.#repeat(act.text);
      case 'disconnect':
        this.socket.destroy();
        return undefined;
      case 'silence':
        return new Promise(() => undefined);
    }
  }

  #startTls(options: TLSSocketOptions): void {
    this.socket.removeAllListeners('data');
    this.#pending = '';
    const secure = new TLSSocket(this.socket, { isServer: true, ...testCertificate, ...options });
    secure.on('data', (chunk: Buffer) => this.receive(chunk));
    secure.on('error', () => secure.destroy());
    this.socket = secure;
  }

  async #trickle(text: string, everyMs: number): Promise<void> {
    for (let at = 0; !this.socket.destroyed; at = (at + 1) % text.length) {
      this.#send(text.charAt(at));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  #send(text: string): boolean {
    this.server.bytesSent += text.length;
    return this.socket.writable && this.socket.write(text, 'latin1');
  }

  async #dribble(text: string): Promise<void> {
    for (const character of text) {
      if (this.socket.destroyed) return;
      this.#send(character);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #repeat(text: string): Promise<void> {
    while (!this.socket.destroyed) {
      const flowing = this.#send(text);
      await new Promise((resolve) =>
        flowing ? setImmediate(resolve) : this.socket.once('drain', resolve).once('close', resolve),
      );
    }
  }
}
