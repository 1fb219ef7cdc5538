import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that accepts few connections, greets further ones with 421, and holds every message until released. */
export class NarrowMailServer {
  count = 0;
  #release!: () => void;
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve));
  readonly #server: SMTPServer;

  private constructor(connections: number) {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      maxClients: connections,
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => {
          void this.#released.then(() => {
            this.count++;
            done();
          });
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  static async listen(host: string, port: number, connections: number): Promise<NarrowMailServer> {
    const narrow = new NarrowMailServer(connections);
    await new Promise<void>((resolve) => narrow.#server.listen(port, host, resolve));
    return narrow;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Accepts the held messages, and from now on every message at once. */
  release(): void {
    this.#release();
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
