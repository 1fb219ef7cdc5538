import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { IssuedCertificate } from './test-authority.js';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  readonly clientAddress: string;
  readonly heloName: string;
  /** The server name that the client sent in TLS (SNI). */
  readonly serverName: string | false | undefined;
}

/** A mail server with a certificate, or without STARTTLS, that records the session data of each message. */
export class TlsMailServer {
  readonly received: ReceivedMail[] = [];

  private constructor(private readonly server: SMTPServer) {}

  static async listen(host: string, port: number, certificate: IssuedCertificate | undefined): Promise<TlsMailServer> {
    const server = new SMTPServer({
      ...certificate,
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: certificate === undefined ? ['STARTTLS', 'AUTH'] : ['AUTH'],
      onData: (stream, session, done) => {
        stream.resume().on('end', () => {
          listening.received.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            isEncrypted: session.secure,
            clientAddress: session.remoteAddress,
            heloName: session.hostNameAppearsAs,
            serverName: (session as unknown as { servername?: string | false }).servername,
          });
          done();
        });
      },
    });
    const listening = new TlsMailServer(server);
    // Clients that reject the certificate hang up.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return listening;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
