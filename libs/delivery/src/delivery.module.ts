import { BullModule } from '@nestjs/bullmq';
import { DynamicModule, Global, Module, Provider, Type } from '@nestjs/common';
import { DomainsModule, SandboxPolicy } from '#domains';
import { EmailsModule, OutboundQueue } from '#emails';
import { SuppressionsModule } from '#suppressions';
import { TrackingModule } from '#tracking';
import { UnsubscribeLinksModule } from '#unsubscribe';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { mailShare } from '#postgres/database';
import { DeliverEmail, SettleAttempts } from './application/deliver-email.js';
import { KeepRegions } from './application/keep-regions.use-case.js';
import { LaneNames, LaneSignal, lanesQueue, RegionDesk } from './application/ports/lanes.port.js';
import { ServedRegions } from './domain/lane-name.js';
import { PostgresRegionDesk } from './infrastructure/persistence/postgres-region-desk.js';
import { RegionWorker } from './infrastructure/worker/region-worker.js';
import { WorkerIdentity } from './application/worker-identity.js';
import { PacedClaims } from './application/lane-window.js';
import { DrainLane } from './application/drain-lane.use-case.js';
import { ContentsInDelivery } from './application/contents-in-delivery.js';
import { LanesByDestination } from './infrastructure/lanes/lanes-by-destination.js';
import { LaneReports } from './application/lane-reports.js';
import { DeliveryQueue, OutcomeLog, WorkerPresence } from './application/ports/delivery-queue.port.js';
import { DeliveryTransport } from './application/ports/delivery-transport.port.js';
import { MessageRenderer, ReturnPaths } from './application/ports/message-renderer.port.js';
import {
  AttemptTraces,
  OutcomeObserver,
  PostgresOutcomeLog,
  UnwrittenOutcomes,
} from './infrastructure/persistence/postgres-outcome-log.js';
import { AttemptsData } from './infrastructure/persistence/postgres-delivery-traces.js';
import { DeliveryPurge } from './infrastructure/persistence/delivery-purge.js';
import { PostgresDeliveryQueue, PostgresOutboundQueue } from './infrastructure/persistence/postgres-delivery-queue.js';
import { QueueMetrics } from './infrastructure/persistence/queue-metrics.js';
import { SessionWorkerPresence, WorkerLoad } from './infrastructure/persistence/session-worker-presence.js';
import { MimeMessageRenderer } from './infrastructure/rendering/mime-message-renderer.js';
import { SignedReturnPaths } from './infrastructure/return-path/signed-return-paths.js';
import { ConfiguredSandboxPolicy } from './infrastructure/transport/configured-sandbox-policy.js';
import { DeliveryWorker } from './infrastructure/worker/delivery-worker.js';
import { RecheckBulk } from './application/recheck-bulk.js';
import { LaneRunner } from './infrastructure/worker/lane-runner.js';
import { LanesProcessor } from './infrastructure/worker/lanes.processor.js';
import { QueueLaneSignal } from './infrastructure/signals/queue-lane-signal.js';

/** From which regions this process sends. */
const servedRegions: Provider = {
  provide: ServedRegions,
  inject: [Config],
  useFactory: ({ values }: Config) =>
    new ServedRegions(
      values.region,
      values.regions.map(({ name }) => name),
      values.failoverSeconds * 1_000,
    ),
};

const queueing: Provider[] = [
  mailShare,
  {
    provide: LaneNames,
    inject: [Adapters, Config],
    useFactory: (adapters: Adapters, { values }: Config) =>
      adapters.choose(LaneNames, () => {
        // Where a transport of the program's own sends mail is not known here: one slow destination must not delay the
        // others.
        const destinations = adapters.has(DeliveryTransport) ? 'mx' : values.deliveryTransport;
        return new LanesByDestination(destinations, values.testAddressDomains);
      }),
  },
  { provide: SandboxPolicy, useClass: ConfiguredSandboxPolicy },
  { provide: OutboundQueue, useClass: PostgresOutboundQueue },
  { provide: LaneSignal, useClass: QueueLaneSignal },
  DeliveryPurge,
  AttemptsData,
  UnwrittenOutcomes,
  { provide: DeliveryQueue, useClass: PostgresDeliveryQueue },
  { provide: ReturnPaths, useClass: SignedReturnPaths },
  servedRegions,
];

const worker: Provider[] = [
  { provide: MessageRenderer, useClass: MimeMessageRenderer },
  { provide: OutcomeLog, useClass: PostgresOutcomeLog },
  WorkerIdentity,
  WorkerLoad,
  { provide: WorkerPresence, useClass: SessionWorkerPresence },
  AttemptTraces,
  OutcomeObserver,
  SettleAttempts,
  ContentsInDelivery,
  DeliverEmail,
  RecheckBulk,
  LaneReports,
  PacedClaims,
  DrainLane,
  LaneRunner,
  { provide: RegionDesk, useClass: PostgresRegionDesk },
  KeepRegions,
  RegionWorker,
  DeliveryWorker,
  LanesProcessor,
];

export interface DeliveryOptions {
  /** The module that provides `DeliveryTransport`, for a process that delivers. Others only put mail into its lanes. */
  readonly transport?: Type;
  /** Whether to provide the metrics of the queue. A worker always does. */
  readonly metrics?: boolean;
}

/** Delivers accepted mail. */
// oxlint-disable-next-line house/global-module -- provides the `OutboundQueue` of the emails lib, and is configured once
@Global()
@Module({})
export class DeliveryModule {
  static forRoot({ transport, metrics = false }: DeliveryOptions): DynamicModule {
    const isWorker = transport !== undefined;
    return {
      module: DeliveryModule,
      imports: [
        EmailsModule,
        DomainsModule,
        SuppressionsModule,
        TrackingModule,
        UnsubscribeLinksModule,
        ...(isWorker ? [transport] : []),
        BullModule.registerQueue({ name: lanesQueue }),
      ],
      providers: [...queueing, ...(isWorker ? worker : []), ...(isWorker || metrics ? [QueueMetrics] : [])],
      exports: [OutboundQueue, DeliveryQueue, LaneNames, LaneSignal, ReturnPaths, SandboxPolicy, ServedRegions],
    };
  }
}
