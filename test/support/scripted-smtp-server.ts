import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** What the server does when its turn comes. Texts go out as they are, CRLF added at the end. */
export type Act =
  | { readonly kind: 'reply'; readonly text: string; readonly thenDisconnect?: boolean }
  /** The reply one byte at a time. */
  | { readonly kind: 'dribble'; readonly text: string }
  /** The same text again and again until the other side hangs up. */
  | { readonly kind: 'endless'; readonly text: string }
  /** The reply, and then nothing is read any more. */
  | { readonly kind: 'stopReading'; readonly text: string }
  /** The reply, and the end of the connection after so many bytes of what follows. */
  | { readonly kind: 'disconnectAfter'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'silence' }
  | { readonly kind: 'disconnect' };

export type ServerPhase =
  'banner' | 'ehlo' | 'helo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot' | 'rset' | 'quit';

/** One act for every time the phase is reached, or a list whose last act repeats. Phases left out go well. */
export type Script = Partial<Record<ServerPhase, Act | readonly Act[]>>;

export const reply = (text: string): Act => ({ kind: 'reply', text });
export const replyAndDisconnect = (text: string): Act => ({ kind: 'reply', text, thenDisconnect: true });
export const dribble = (text: string): Act => ({ kind: 'dribble', text });
export const endless = (text: string): Act => ({ kind: 'endless', text });
export const stopReading = (text: string): Act => ({ kind: 'stopReading', text });
export const disconnectAfter = (text: string, bytes: number): Act => ({ kind: 'disconnectAfter', text, bytes });
export const silence: Act = { kind: 'silence' };
export const disconnect: Act = { kind: 'disconnect' };

/** An EHLO reply with these keywords. */
export const ehlo = (...keywords: string[]): Act =>
  reply(
    ['scripted.test', ...keywords].map((line, at) => `250${at === keywords.length ? ' ' : '-'}${line}`).join('\r\n'),
  );

const wellBehaved: Record<ServerPhase, Act> = {
  banner: reply('220 scripted.test ESMTP'),
  ehlo: ehlo('PIPELINING', '8BITMIME', 'SIZE', 'ENHANCEDSTATUSCODES'),
  helo: reply('250 scripted.test'),
  starttls: reply('454 4.7.0 TLS not available'),
  auth: reply('235 2.7.0 Authenticated'),
  mail: reply('250 2.1.0 OK'),
  rcpt: reply('250 2.1.5 OK'),
  data: reply('354 Go ahead'),
  dot: reply('250 2.0.0 Queued'),
  rset: reply('250 2.0.0 OK'),
  quit: reply('221 2.0.0 Bye'),
};

const phaseOfVerb: Record<string, ServerPhase> = {
  EHLO: 'ehlo',
  HELO: 'helo',
  STARTTLS: 'starttls',
  AUTH: 'auth',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  RSET: 'rset',
  QUIT: 'quit',
};

/** An SMTP server that misbehaves exactly as told, and remembers what was said to it. */
export class ScriptedSmtpServer {
  /** Every command line, and `.` for each end of content. */
  readonly commands: string[] = [];
  /** Contents as they came, dot-stuffed, without the final dot. */
  readonly contents: string[] = [];
  connectionCount = 0;
  bytesReceived = 0;
  bytesSent = 0;

  readonly #uses = new Map<ServerPhase, number>();
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly script: Script,
  ) {}

  static async listen(script: Script = {}): Promise<ScriptedSmtpServer> {
    const server = createServer({ noDelay: true });
    const scripted = new ScriptedSmtpServer(server, script);
    server.on('connection', (socket) => scripted.#accept(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
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
    let pending = '';
    let isInContent = false;
    let bytesUntilDisconnect = Infinity;

    const perform = (phase: ServerPhase): void => {
      const act = this.#nextAct(phase);
      if ('text' in act && phase === 'data') isInContent = act.text.startsWith('354');
      if (act.kind === 'disconnectAfter') bytesUntilDisconnect = act.bytes;
      this.#perform(socket, act);
      if (phase === 'quit') socket.end();
    };
    socket.on('data', (chunk: Buffer) => {
      this.bytesReceived += chunk.length;
      bytesUntilDisconnect -= chunk.length;
      if (bytesUntilDisconnect <= 0) return socket.destroy();
      pending += chunk.toString('latin1');
      for (;;) {
        if (isInContent) {
          const end = pending.startsWith('.\r\n') ? 0 : pending.indexOf('\r\n.\r\n') + 2;
          if (end === 1) return;
          this.contents.push(pending.slice(0, end));
          this.commands.push('.');
          pending = pending.slice(end + 3);
          isInContent = false;
          perform('dot');
        } else {
          const end = pending.indexOf('\r\n');
          if (end < 0) return;
          const line = pending.slice(0, end);
          pending = pending.slice(end + 2);
          this.commands.push(line);
          const phase = phaseOfVerb[(line.split(' ')[0] as string).toUpperCase()];
          // What follows AUTH LOGIN has no verb.
          perform(phase ?? 'auth');
        }
      }
    });
    this.#perform(socket, this.#nextAct('banner'));
  }

  #nextAct(phase: ServerPhase): Act {
    const scripted = this.script[phase] ?? wellBehaved[phase];
    const acts = Array.isArray(scripted) ? (scripted as readonly Act[]) : [scripted as Act];
    const use = this.#uses.get(phase) ?? 0;
    this.#uses.set(phase, use + 1);
    return acts[Math.min(use, acts.length - 1)] as Act;
  }

  #perform(socket: Socket, act: Act): void {
    switch (act.kind) {
      case 'reply':
        this.#send(socket, `${act.text}\r\n`);
        if (act.thenDisconnect === true) socket.end();
        return;
      case 'disconnectAfter':
        return void this.#send(socket, `${act.text}\r\n`);
      case 'stopReading':
        this.#send(socket, `${act.text}\r\n`);
        return void socket.pause();
      case 'dribble':
        return this.#dribble(socket, `${act.text}\r\n`, 0);
      case 'endless':
        return this.#repeat(socket, act.text);
      case 'disconnect':
        return void socket.destroy();
      case 'silence':
        return;
    }
  }

  #send(socket: Socket, text: string): boolean {
    this.bytesSent += text.length;
    return socket.write(text, 'latin1');
  }

  #dribble(socket: Socket, text: string, at: number): void {
    if (at === text.length || socket.destroyed) return;
    socket.write(text.charAt(at), 'latin1', () => setImmediate(() => this.#dribble(socket, text, at + 1)));
  }

  #repeat(socket: Socket, text: string): void {
    if (socket.destroyed) return;
    if (this.#send(socket, text)) setImmediate(() => this.#repeat(socket, text));
    else socket.once('drain', () => this.#repeat(socket, text));
  }
}
