import { AddressInfo, createServer, Server, Socket } from 'node:net';

export interface TeamHostOptions {
  readonly lmtp?: boolean;
  /** The reply to RCPT. Default: accepted. */
  readonly rcptReply?: string;
  /** Never greets. */
  readonly isSilent?: boolean;
}

/** A mail host of a team on loopback, which speaks SMTP or LMTP and keeps what it gets. */
export class TeamHost {
  readonly commands: string[] = [];
  readonly messages: Buffer[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly options: TeamHostOptions,
  ) {
    server.on('connection', (socket) => this.talk(socket));
  }

  static async listen(options: TeamHostOptions = {}): Promise<TeamHost> {
    const server = createServer();
    const host = new TeamHost(server, options);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return host;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((closed) => this.server.close(() => closed()));
  }

  private talk(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    if (this.options.isSilent === true) return;
    socket.write('220 host.test ready\r\n');
    let waiting = '';
    let isData = false;
    socket.on('data', (chunk: Buffer) => {
      waiting += chunk.toString('latin1');
      for (;;) {
        const end = waiting.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const piece = waiting.slice(0, end);
        waiting = waiting.slice(end + (isData ? 5 : 2));
        if (isData) this.messages.push(Buffer.from(`${piece}\r\n`.replace(/^\.\./gm, '.'), 'latin1'));
        else this.commands.push(piece);
        socket.write(isData ? '250 2.0.0 kept\r\n' : this.replyTo(piece));
        isData = !isData && piece === 'DATA';
      }
    });
  }

  private replyTo(command: string): string {
    const { lmtp = false, rcptReply = '250 2.1.5 yes' } = this.options;
    if (/^LHLO /.test(command)) return lmtp ? '250-host.test\r\n250 8BITMIME\r\n' : '500 5.5.1 what?\r\n';
    if (/^EHLO /.test(command)) return lmtp ? '500 5.5.1 say LHLO\r\n' : '250-host.test\r\n250 PIPELINING\r\n';
    if (/^RCPT /.test(command)) return `${rcptReply}\r\n`;
    return command === 'DATA' ? '354 go\r\n' : '250 2.0.0 OK\r\n';
  }
}
