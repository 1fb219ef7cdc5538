import { DeliveryTransport } from '#delivery';
import type { DeliveryOutcome, OutboundMessage } from '#delivery';
import { SmtpConnectionPool } from './protocol/smtp-connection-pool.js';
import type { SmtpPoolOptions } from './protocol/smtp-pool-options.js';

/**
 * Deliveries per connection that keep it busy: one waits for its final reply, one is in DATA, and the content of the
 * others is being read and signed.
 */
const deliveriesPerConnection = 6;

/** Delivers all mail to one host, over a pool of connections. */
export abstract class OneHostDeliveryTransport extends DeliveryTransport {
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
