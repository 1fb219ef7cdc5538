import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import type { DeliveryOutcome } from '../../domain/delivery-outcome.js';
import type { OutboundMessage } from '../../domain/outbound-message.js';
import { SmtpConnectionPool } from './smtp/smtp-connection-pool.js';
import type { SmtpPoolOptions } from './smtp/smtp-connection-pool.js';

export type RelayOptions = SmtpPoolOptions;

/** Deliveries per connection that keep it busy: one awaits its final reply, one its DATA, and one waits to be sent. */
const deliveriesPerConnection = 3;
const defaultConnections = 4;

/** Hands all mail to one smarthost (RFC 5321 section 2.3.10 calls it a relay), which takes it from there. */
export class RelayDeliveryTransport extends DeliveryTransport {
  readonly #pool: SmtpConnectionPool;
  readonly #concurrency: number;

  constructor(options: RelayOptions) {
    super();
    const connections = options.connections ?? defaultConnections;
    this.#pool = new SmtpConnectionPool({ ...options, connections });
    this.#concurrency = connections * deliveriesPerConnection;
  }

  laneOf(): string {
    return 'relay';
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
