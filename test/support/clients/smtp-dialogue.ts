import { connect, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { until } from '../runner/until.js';

/** An SMTP client that sends exactly the given bytes. */
export class SmtpDialogue {
  private text = '';
  private hasEnded = false;

  private constructor(private socket: Socket) {
    this.listenTo(socket);
  }

  /** Resolves after the greeting was read. */
  static async open(port: number, localAddress?: string): Promise<SmtpDialogue> {
    const dialogue = new SmtpDialogue(connect({ port, host: '127.0.0.1', localAddress }));
    await dialogue.reply();
    return dialogue;
  }

  /** Does not wait for the greeting, which may be a refusal. */
  static unread(port: number): SmtpDialogue {
    return new SmtpDialogue(connect({ port, host: '127.0.0.1' }));
  }

  static async openTls(port: number, localAddress?: string): Promise<SmtpDialogue> {
    return SmtpDialogue.over(connect({ port, host: '127.0.0.1', localAddress }), true);
  }

  /** Connects like a proxy, which sends these bytes to name the client. */
  static async proxied(port: number, header: Buffer, implicitTls = false): Promise<SmtpDialogue> {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(header);
    return SmtpDialogue.over(socket, implicitTls);
  }

  private static async over(socket: Socket, implicitTls: boolean): Promise<SmtpDialogue> {
    const dialogue = new SmtpDialogue(implicitTls ? connectTls({ socket, rejectUnauthorized: false }) : socket);
    await dialogue.reply();
    return dialogue;
  }

  /** Connects over TLS and logs in, ready for MAIL. */
  static async loggedIn(port: number, apiKey: string, localAddress?: string): Promise<SmtpDialogue> {
    const dialogue = await SmtpDialogue.openTls(port, localAddress);
    await dialogue.ask('EHLO client.test');
    const reply = await dialogue.logIn(apiKey);
    if (!reply.startsWith('235')) throw new Error(reply);
    return dialogue;
  }

  logIn(apiKey: string, username = 'postrider'): Promise<string> {
    return this.ask(`AUTH PLAIN ${Buffer.from(`\0${username}\0${apiKey}`).toString('base64')}`);
  }

  async startTls(): Promise<void> {
    await this.ask('STARTTLS');
    this.socket.removeAllListeners('data');
    this.socket = connectTls({ socket: this.socket, rejectUnauthorized: false });
    this.listenTo(this.socket);
  }

  /** Sends one command and resolves to its reply. */
  ask(command: string): Promise<string> {
    this.send(`${command}\r\n`);
    return this.reply();
  }

  /** Sends one message, from MAIL to the reply to its final dot; `content` ends with CRLF. */
  async submit(from: string, to: string, content: string): Promise<string> {
    for (const command of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
      const reply = await this.ask(command);
      if (!/^[23]/.test(reply)) return reply;
    }
    this.send(`${content}.\r\n`);
    return this.reply();
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** The next whole reply, which may have several lines. */
  reply(): Promise<string> {
    return until(() => {
      const match = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.text);
      if (match === null) {
        if (this.hasEnded) throw new Error(`The server has hung up after: ${this.text}`);
        return undefined;
      }
      this.text = this.text.slice(match[0].length);
      return match[0].trimEnd();
    });
  }

  /** Received text that was not read yet. */
  get unread(): string {
    return this.text;
  }

  /** Bytes that the server has not taken yet. */
  get buffered(): number {
    return this.socket.writableLength;
  }

  async ended(): Promise<void> {
    await until(() => this.hasEnded);
  }

  /** Closes the connection without QUIT. */
  drop(): void {
    this.socket.destroy();
  }

  private listenTo(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => (this.text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.hasEnded = true));
    socket.on('end', () => (this.hasEnded = true));
  }
}
