import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import type { DeliveryOutcome } from '../../domain/delivery-outcome.js';
import type { OutboundMessage } from '../../domain/outbound-message.js';
import { SmtpConnectionPool } from './smtp/smtp-connection-pool.js';
import type { SmtpTimeouts } from './smtp/smtp-options.js';

export interface SandboxOptions {
  readonly port: number;
  /** A loopback address, nothing else. Default `127.0.0.1`. */
  readonly host?: string;
  readonly heloName?: string;
  readonly connections?: number;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

/** See `RelayDeliveryTransport`. */
const deliveriesPerConnection = 3;

/** Delivers over real SMTP, without TLS, to a receiving server on this machine. It cannot reach any other. */
export class SandboxDeliveryTransport extends DeliveryTransport {
  override readonly sharesTransactions = true;
  readonly #pool: SmtpConnectionPool;
  readonly #concurrency: number;

  constructor(options: SandboxOptions) {
    super();
    const { host = '127.0.0.1', heloName = 'localhost', connections = 2, port, timeouts } = options;
    if (!/^127\.\d+\.\d+\.\d+$/.test(host) && host !== '::1') {
      throw new RangeError('The sandbox delivers to a loopback address only');
    }
    this.#pool = new SmtpConnectionPool({ host, port, heloName, connections, timeouts, tls: 'none' });
    this.#concurrency = connections * deliveriesPerConnection;
  }

  laneOf(): string {
    return 'sandbox';
  }

  concurrencyOf(): number {
    return this.#concurrency;
  }

  async deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    return this.#pool.deliver(message);
  }

  override withdraw(): void {
    this.#pool.withdraw();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
