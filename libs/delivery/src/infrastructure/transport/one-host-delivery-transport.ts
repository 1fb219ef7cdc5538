import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import type { DeliveryOutcome } from '../../domain/delivery-outcome.js';
import type { OutboundMessage } from '../../domain/outbound-message.js';
import { SmtpConnectionPool } from './smtp/smtp-connection-pool.js';
import type { SmtpPoolOptions } from './smtp/smtp-pool-options.js';

/**
 * Deliveries per connection that keep it busy: one awaits its final reply, one its DATA, and the content of the others is
 * being read and signed.
 */
const deliveriesPerConnection = 6;

/** All mail in one lane, to one host, over a pool of connections. */
export abstract class OneHostDeliveryTransport extends DeliveryTransport {
  readonly #lane: string;
  readonly #pool: SmtpConnectionPool;
  readonly #concurrency: number;

  protected constructor(lane: string, options: SmtpPoolOptions & { readonly connections: number }) {
    super();
    this.#lane = lane;
    this.#pool = new SmtpConnectionPool(options);
    this.#concurrency = options.connections * deliveriesPerConnection;
  }

  laneOf(): string {
    return this.#lane;
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
