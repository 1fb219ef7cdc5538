import { OneHostDeliveryTransport } from './one-host-delivery-transport.js';
import type { SmtpTimeouts } from './protocol/smtp-options.js';

export interface SandboxOptions {
  readonly port: number;
  /** Must be a loopback address. Default `127.0.0.1`. */
  readonly host?: string;
  readonly heloName?: string;
  readonly connections?: number;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

/** Delivers over SMTP without TLS to a receiving server on this machine. It cannot reach any other machine. */
export class SandboxDeliveryTransport extends OneHostDeliveryTransport {
  override readonly sharesTransactions = true;

  constructor({ host = '127.0.0.1', heloName = 'localhost', connections = 2, port, timeouts }: SandboxOptions) {
    if (!/^127\.\d+\.\d+\.\d+$/.test(host) && host !== '::1') {
      throw new RangeError('The sandbox delivers to a loopback address only');
    }
    super({ host, port, heloName, connections, timeouts, tls: 'none' });
  }
}
