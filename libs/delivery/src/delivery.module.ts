import { hostname, networkInterfaces } from 'node:os';
import { BullModule } from '@nestjs/bullmq';
import { DynamicModule, Global, Module, Provider } from '@nestjs/common';
import { DnsResolver, DomainsModule, SandboxPolicy } from '#domains';
import { EmailsModule, OutboundQueue } from '#emails';
import { newId } from '#kernel';
import { SuppressionsModule } from '#suppressions';
import { TrackingModule } from '#tracking';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database, mailShare, SessionLocks } from '#platform/database';
import { Logger } from '#platform/logging';
import { DeliverEmail } from './application/deliver-email.js';
import { DrainLane } from './application/drain-lane.use-case.js';
import { EmailContents } from './application/email-contents.js';
import { LaneReports } from './application/lane-reports.js';
import { ReactToOutcomes } from './application/react-to-outcomes.js';
import { DeliveryQueue } from './application/ports/delivery-queue.port.js';
import { DeliveryTransport } from './application/ports/delivery-transport.port.js';
import { LaneSignal } from './application/ports/lane-signal.port.js';
import { MessageRenderer } from './application/ports/message-renderer.port.js';
import { OutcomeLog } from './application/ports/outcome-log.port.js';
import { ReturnPaths } from './application/ports/return-paths.port.js';
import { SandboxAddress } from './application/ports/sandbox-address.port.js';
import { StsPolicyStore } from './application/ports/sts-policy-store.port.js';
import { DeliveryPurge } from './infrastructure/persistence/delivery-purge.js';
import { PostgresDeliveryQueue } from './infrastructure/persistence/postgres-delivery-queue.js';
import { PostgresOtherWorkers } from './infrastructure/persistence/postgres-other-workers.js';
import { PostgresOutboundQueue } from './infrastructure/persistence/postgres-outbound-queue.js';
import { PostgresOutcomeLog } from './infrastructure/persistence/postgres-outcome-log.js';
import { QueueMetrics } from './infrastructure/persistence/queue-metrics.js';
import { PostgresStsPolicyStore } from './infrastructure/persistence/postgres-sts-policy-store.js';
import { UnwrittenOutcomes } from './infrastructure/persistence/unwritten-outcomes.js';
import { MimeMessageRenderer } from './infrastructure/rendering/mime-message-renderer.js';
import { PostgresSiteSlots } from './infrastructure/persistence/postgres-site-slots.js';
import { SignedReturnPaths } from './infrastructure/return-path/signed-return-paths.js';
import { ConfiguredSandboxPolicy } from './infrastructure/transport/configured-sandbox-policy.js';
import { SiteSharing } from './infrastructure/transport/mx/site-sharing.js';
import { MxDeliveryTransport } from './infrastructure/transport/mx-delivery-transport.js';
import { RelayDeliveryTransport } from './infrastructure/transport/relay-delivery-transport.js';
import { relayOptionsFromUrl } from './infrastructure/transport/relay-url.js';
import { RoutedDeliveryTransport } from './infrastructure/transport/routed-delivery-transport.js';
import { RoutesFile } from './infrastructure/transport/routes/routes-file.js';
import { StsPolicies } from './infrastructure/transport/sts/sts-policies.js';
import { StsPolicySource } from './infrastructure/transport/sts/sts-policy-source.js';
import { SandboxDeliveryTransport } from './infrastructure/transport/sandbox-delivery-transport.js';
import { TestAddressTransport } from './infrastructure/transport/test-address-transport.js';
import { DeliveryWorker } from './infrastructure/worker/delivery-worker.js';
import { LaneRunner } from './infrastructure/worker/lane-runner.js';
import { LanesProcessor } from './infrastructure/worker/lanes.processor.js';
import { lanesQueue } from './infrastructure/worker/lanes.queue.js';
import { QueueLaneSignal } from './infrastructure/worker/queue-lane-signal.js';
import { WorkerIdentity } from './infrastructure/worker/worker-identity.js';
import { WorkerPresence } from './infrastructure/worker/worker-presence.js';

/**
 * The sandbox answers each message with a commit, which connections share: 490 messages/s accepted and delivered in one
 * process on 2 cores, against 370 with two connections.
 */
const sandboxConnections = 8;

const transport: Provider = {
  provide: DeliveryTransport,
  inject: [
    Adapters,
    Config,
    DnsResolver,
    StsPolicyStore,
    Logger,
    SiteSharing,
    { token: SandboxAddress, optional: true },
  ],
  useFactory: (
    adapters: Adapters,
    config: Config,
    dns: DnsResolver,
    stsPolicies: StsPolicyStore,
    logger: Logger,
    sharing: SiteSharing,
    sandbox: SandboxAddress | undefined,
  ) =>
    new TestAddressTransport(
      adapters.choose(DeliveryTransport, () => configuredTransport(config, dns, stsPolicies, logger, sharing, sandbox)),
      config.values.testAddressDomains,
    ),
};

const siteSharing: Provider = {
  provide: SiteSharing,
  inject: [Config, Database, SessionLocks, Logger],
  useFactory: ({ values }: Config, database: Database, locks: SessionLocks, logger: Logger) => {
    // On the embedded database without worker processes this process is the only worker.
    if (values.databaseUrl === undefined) return new SiteSharing();
    return new SiteSharing(
      new PostgresSiteSlots(locks, (error) => logger.warn({ error }, 'mail waits: slots cannot be asked for')),
      new PostgresOtherWorkers(database, newId()),
    );
  },
};

const queueing: Provider[] = [
  mailShare,
  transport,
  siteSharing,
  {
    provide: StsPolicyStore,
    inject: [Adapters, Database],
    useFactory: (adapters: Adapters, database: Database) =>
      adapters.choose(StsPolicyStore, () => new PostgresStsPolicyStore(database)),
  },
  { provide: SandboxPolicy, useClass: ConfiguredSandboxPolicy },
  { provide: OutboundQueue, useClass: PostgresOutboundQueue },
  { provide: LaneSignal, useClass: QueueLaneSignal },
  DeliveryPurge,
  UnwrittenOutcomes,
  { provide: DeliveryQueue, useClass: PostgresDeliveryQueue },
  { provide: ReturnPaths, useClass: SignedReturnPaths },
];

const worker: Provider[] = [
  { provide: MessageRenderer, useClass: MimeMessageRenderer },
  { provide: OutcomeLog, useClass: PostgresOutcomeLog },
  WorkerIdentity,
  WorkerPresence,
  ReactToOutcomes,
  EmailContents,
  DeliverEmail,
  LaneReports,
  DrainLane,
  LaneRunner,
  DeliveryWorker,
  LanesProcessor,
];

/** Delivering what was accepted. Without the worker role a process only puts mail into its lanes. */
@Global()
@Module({})
export class DeliveryModule {
  /** `metrics`: of the queue, where no metrics of a worker are at hand. A worker has them. */
  static forRoot(options: { readonly worker: boolean; readonly metrics?: boolean }): DynamicModule {
    return {
      module: DeliveryModule,
      imports: [
        EmailsModule,
        DomainsModule,
        SuppressionsModule,
        TrackingModule,
        BullModule.registerQueue({ name: lanesQueue }),
      ],
      providers: [
        ...queueing,
        ...(options.worker ? worker : []),
        ...(options.worker || options.metrics === true ? [QueueMetrics] : []),
      ],
      exports: [OutboundQueue, DeliveryQueue, DeliveryTransport, ReturnPaths, SandboxPolicy],
    };
  }
}

function configuredTransport(
  config: Config,
  dns: DnsResolver,
  stsPolicies: StsPolicyStore,
  logger: Logger,
  sharing: SiteSharing,
  sandbox: SandboxAddress | undefined,
): DeliveryTransport {
  const { values } = config;
  switch (values.deliveryTransport) {
    case 'sandbox':
      if (sandbox === undefined) throw new Error('DELIVERY_TRANSPORT=sandbox needs the sandbox module');
      return new SandboxDeliveryTransport({ port: sandbox.port, connections: sandboxConnections });
    case 'relay':
      return relayTransport(config, values.relayUrl ?? '');
    case 'mx':
      return mxTransport(config, dns, stsPolicies, logger, sharing);
  }
}

function relayTransport({ values }: Config, url: string): DeliveryTransport {
  return new RelayDeliveryTransport({
    ...relayOptionsFromUrl(url),
    heloName: values.heloName ?? hostname(),
    connections: values.relayConnections,
  });
}

function mxTransport(
  config: Config,
  dns: DnsResolver,
  store: StsPolicyStore,
  logger: Logger,
  sharing: SiteSharing,
): DeliveryTransport {
  const { mxPort, heloName, allowPrivateDestinations, sourceAddresses, dane, routesFile, relayUrl } = config.values;
  const rules =
    routesFile === undefined
      ? undefined
      : new RoutesFile(routesFile, relayUrl, (error) =>
          logger.warn({ error }, 'the routes file cannot be used; the routes read before it stay'),
        );
  const ownAddresses = new Set([...sourceAddresses, ...addressesOfThisMachine()]);
  const mx = new MxDeliveryTransport(dns, {
    port: mxPort,
    heloName: heloName ?? hostname(),
    allowPrivateDestinations,
    isOwnAddress: (address) => ownAddresses.has(address),
    dane,
    stsPolicies: (cache) => {
      const source = new StsPolicySource(dns, allowPrivateDestinations ? { mayConnect: () => true } : {});
      return new StsPolicies(cache, source, store);
    },
    rules,
    slots: sharing.slots,
    others: sharing.others,
  });
  return rules === undefined ? mx : new RoutedDeliveryTransport(mx, (url) => relayTransport(config, url), rules);
}

/** Loopback aside: whether mail may go there is another question. */
function addressesOfThisMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces.filter(({ internal }) => !internal).map(({ address }) => address),
  );
}
