import { OneHostDeliveryTransport } from './one-host-delivery-transport.js';
import type { SmtpPoolOptions } from './protocol/smtp-pool-options.js';

export type RelayOptions = SmtpPoolOptions;

const defaultConnections = 4;

/** Hands all mail to one smarthost, which RFC 5321 section 2.3.10 calls a relay. */
export class RelayDeliveryTransport extends OneHostDeliveryTransport {
  constructor(options: RelayOptions) {
    super({ ...options, connections: options.connections ?? defaultConnections });
  }
}
