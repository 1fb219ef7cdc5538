import { DeliveryTransport } from '#delivery';
import type { DeliveryOutcome, OutboundMessage } from '#delivery';
import { SmtpConnectionPool } from './protocol/smtp-connection-pool.js';
import type { SmtpPoolOptions } from './protocol/smtp-connection-pool.js';
import type { SmtpTimeouts } from './protocol/smtp-options.js';

/**
 * Deliveries per connection that keep it busy: one waits for its final reply, one is in DATA, and the content of the
 * others is being read and signed.
 */
const deliveriesPerConnection = 6;

/** Delivers all mail to one host, over a pool of connections. */
abstract class OneHostDeliveryTransport extends DeliveryTransport {
  readonly #pool: SmtpConnectionPool;
  readonly #concurrency: number;

  protected constructor(options: SmtpPoolOptions & { readonly connections: number }) {
    super();
    this.#pool = new SmtpConnectionPool(options);
    this.#concurrency = options.connections * deliveriesPerConnection;
  }

  concurrencyOf(): number {
    return this.#concurrency;
  }

  deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    return this.#pool.deliver(message);
  }

  override withdraw(): void {
    this.#pool.withdraw();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

export type RelayOptions = SmtpPoolOptions;

const defaultConnections = 4;

/** Hands all mail to one smarthost, which RFC 5321 section 2.3.10 calls a relay. */
export class RelayDeliveryTransport extends OneHostDeliveryTransport {
  constructor(options: RelayOptions) {
    super({ ...options, connections: options.connections ?? defaultConnections });
  }
}

interface SandboxOptions {
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
