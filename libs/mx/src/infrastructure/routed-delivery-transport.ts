import { domainOf } from '#kernel';
import { DeliveryTransport } from '#delivery';
import type { DeliveryOutcome, LaneLimits, OutboundMessage } from '#delivery';
import type { RouteTable } from './routes/operator-rules.js';

/**
 * Sends each message by the route in the route table. Lanes are those of the `mx` transport, so that a change of the
 * table does not move waiting mail.
 */
export class RoutedDeliveryTransport extends DeliveryTransport {
  readonly #relays = new Map<string, DeliveryTransport>();

  constructor(
    private readonly mx: DeliveryTransport,
    private readonly relayTo: (url: string) => DeliveryTransport,
    private readonly routes: { readonly table: RouteTable },
  ) {
    super();
  }

  concurrencyOf(lane: string): number {
    return this.mx.concurrencyOf(lane);
  }

  override limitsOf(lane: string): LaneLimits | undefined {
    return this.mx.limitsOf(lane);
  }

  async deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    const recipientDomain = domainOf(message.recipients[0] as string);
    const route = this.routes.table.routeFor(recipientDomain, domainOf(message.mailFrom));
    if (route.via === 'relay') return this.#relay(route.relay).deliver(message);
    const outcomes = await this.mx.deliver(message);
    if (route.via === 'mx' || !outcomes.every(isUnreachable)) return outcomes;
    return this.#relay(route.relay).deliver(message);
  }

  override withdraw(): void {
    for (const transport of [this.mx, ...this.#relays.values()]) transport.withdraw();
  }

  async close(): Promise<void> {
    await Promise.all([this.mx, ...this.#relays.values()].map((transport) => transport.close()));
  }

  #relay(url: string): DeliveryTransport {
    let relay = this.#relays.get(url);
    if (relay === undefined) this.#relays.set(url, (relay = this.relayTo(url)));
    return relay;
  }
}

/**
 * Whether no host could be connected to. A refusal, a wrong certificate or a failed DNS lookup does not count: these do
 * not indicate a blocked port, and the relay must not bypass requirements of the recipient's domain.
 */
function isUnreachable({ kind, detail, ...outcome }: DeliveryOutcome): boolean {
  const isSiteTrouble = 'isSiteTrouble' in outcome && outcome.isSiteTrouble === true;
  return kind === 'deferred' && isSiteTrouble && detail.host !== undefined && detail.address === undefined;
}
