import { hostname, networkInterfaces } from 'node:os';
import { DeliveryTransport } from '#delivery';
import { DnsResolver } from '#domains';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { StsPolicyStore } from '../application/ports/sts-policy-store.port.js';
import { MxDeliveryTransport } from './mx-delivery-transport.js';
import { RoutedDeliveryTransport } from './routed-delivery-transport.js';
import { RoutesFile } from './routes/operator-rules.js';
import { SiteSharing } from './sites/site-sharing.js';
import { shippedRules } from './sites/source-hosts.js';
import type { MxRules, SourceTable } from './sites/source-hosts.js';
import { StoredSources } from './sites/stored-sources.js';
import { StsPolicies, StsPolicySource } from './sts/sts-policies.js';

/** Builds the transport that the configuration describes for DELIVERY_TRANSPORT=mx. */
export class ConfiguredMx {
  constructor(
    private readonly config: Config,
    private readonly dns: DnsResolver,
    private readonly store: StsPolicyStore,
    private readonly logger: Logger,
    private readonly sharing: SiteSharing,
    private readonly stored: StoredSources,
  ) {}

  /** `relayTo` builds the transport for a relay that the routes file names. */
  transport(relayTo: (url: string) => DeliveryTransport): DeliveryTransport {
    const { routesFile, relayUrl } = this.config.values;
    if (routesFile === undefined) return this.mx(undefined);
    const rules = new RoutesFile(routesFile, relayUrl, (error) =>
      this.logger.warn({ error }, 'the routes file is invalid; the previous routes stay in effect'),
    );
    return new RoutedDeliveryTransport(this.mx(rules), relayTo, rules);
  }

  private mx(rules: RoutesFile | undefined): MxDeliveryTransport {
    const { mxPort, heloName, allowPrivateDestinations, sourceAddresses, dane } = this.config.values;
    const ownAddresses = new Set([...sourceAddresses, ...addressesOfThisMachine()]);
    const mx = new MxDeliveryTransport(this.dns, {
      port: mxPort,
      heloName: heloName ?? hostname(),
      allowPrivateDestinations,
      isOwnAddress: (address) => ownAddresses.has(address),
      dane,
      stsPolicies: (cache) => {
        const source = new StsPolicySource(this.dns, allowPrivateDestinations ? { mayConnect: () => true } : {});
        return new StsPolicies(cache, source, this.store);
      },
      rules: rulesOf(rules, this.stored),
      slots: this.sharing.slots,
      others: this.sharing.others,
    });
    this.stored.whenRetired((sources) => mx.retire(sources));
    return mx;
  }
}

/** Where the routes file names a pool for a sender, it wins: it is the operator's hand on this machine. */
function rulesOf(file: RoutesFile | undefined, stored: SourceTable): MxRules {
  return {
    sources: {
      poolOf: (sender) => file?.sources.poolOf(sender) ?? stored.poolOf(sender),
      asksForTags: (sender) => stored.asksForTags?.(sender) === true && file?.sources.poolOf(sender) === undefined,
    },
    get profiles() {
      return file?.profiles ?? shippedRules.profiles;
    },
  };
}

/** Loopback is left out: whether mail may go there is a separate setting. */
function addressesOfThisMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces.filter(({ internal }) => !internal).map(({ address }) => address),
  );
}
