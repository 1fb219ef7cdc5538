import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ContactActivityWorkerModule } from '#contact-activity';
import { ContactImportsHttpModule, ContactImportsWorkerModule } from '#contact-imports';
import { AudienceHttpModule, AudienceModule, AudienceWorkerModule } from '#audience';
import { AccountsHttpModule, AccountsWorkerModule } from '#accounts';
import { AutomationsHttpModule, AutomationsPrivacyModule, AutomationsWorkerModule } from '#automations';
import { BroadcastsHttpModule, BroadcastsModule, BroadcastsWorkerModule } from '#broadcasts';
import { AuditHttpModule, AuditModule, AuditWorkerModule } from '#audit';
import { CellsHttpModule } from '#cells';
import { CertificatesModule, CertificatesWorkerModule } from '#certificates';
import { ChecksHttpModule } from '#checks';
import { DeliveryHttpModule, DeliveryModule } from '#delivery';
import { DomainsHttpModule, DomainsModule, DomainsWorkerModule } from '#domains';
import { DomainActivityModule, EmailsHttpModule, EmailsModule, EmailsWorkerModule } from '#emails';
import { EditorHttpModule } from '#editor';
import { ImagesHttpModule, ImagesWorkerModule } from '#images';
import { FeedbackDataModule, FeedbackModule, FeedbackWorkerModule } from '#feedback';
import { IdempotencyWorkerModule } from '#idempotency';
import { IdentityHttpModule, IdentityModule } from '#identity';
import {
  InboundElsewhereModule,
  InboundHttpModule,
  InboundListenerModule,
  InboundModule,
  InboundWorkerModule,
} from '#inbound';
import {
  InboundRoutesHttpModule,
  RouteActionsModule,
  RouteBouncesModule,
  RoutesPrivacyModule,
  RoutingModule,
} from '#inbound-routes';
import { InboxesHttpModule, InboxesPrivacyModule, InboxesWorkerModule, ReceivingAddressesModule } from '#inboxes';
import { InsightsDataModule, InsightsHttpModule, InsightsWorkerModule } from '#insights';
import { LiveHttpModule } from '#live';
import { MachineRoomHttpModule } from '#machine-room';
import { McpHttpModule } from '#mcp';
import { MxHttpModule } from '#mx';
import { OAuthHttpModule, OAuthWorkerModule } from '#oauth';
import { NoticesModule, NoticesWorkerModule } from '#notices';
import { Adapters, AdaptersModule } from '#platform/adapters';
import { ClockModule } from '#platform/clock';
import { Config, ConfigModule } from '#platform/config';
import { DatabaseAddress, DatabaseModule } from '#postgres/database';
import { DiskModule } from '#observability/disk';
import { EventLoopModule } from '#observability/event-loop';
import { HealthModule } from '#observability/health';
import { ResponsesModule, ContractExceptionFilter } from '#http/server';
import { Logger, LoggingModule } from '#observability/logging';
import { MetricsModule } from '#observability/metrics';
import { OpenApiModule } from '#http/openapi';
import { OutboundHttpModule } from '#http/outbound';
import { ParsingModule } from '#platform/parsing';
import { QueueModule } from '#queue/wake-ups';
import { RedisModule } from '#queue/redis';
import { PrivacyRegistryModule } from '#postgres/privacy';
import { ProviderReportsWorkerModule } from '#provider-reports';
import { PurgesModule, RetentionModule } from '#postgres/retention';
import { SecretsModule } from '#platform/secrets';
import { TimersModule } from '#platform/timers';
import { WorkModule } from '#queue/leases';
import { TlsModule } from '#http/tls';
import { TracingModule } from '#observability/tracing';
import { PrivacyHttpModule, PrivacyWorkerModule } from '#privacy';
import { RateLimitModule } from '#rate-limit';
import { SandboxDataModule, SandboxHttpModule, SandboxModule } from '#sandbox';
import { SearchHttpModule } from '#search';
import { RequestLogsHttpModule, RequestLogsModule } from '#request-logs';
import { ReportsHttpModule, ReportsModule, ReportsWorkerModule } from '#reports';
import { PaceModule, ReputationHttpModule, ReputationModule, ReputationWorkerModule } from '#reputation';
import { SuppressionsHttpModule } from '#suppressions';
import { SmtpModule } from '#smtp';
import { TemplatesHttpModule } from '#templates';
import { TrackingHttpModule } from '#tracking';
import { UnsubscribeHttpModule } from '#unsubscribe';
import { WebhooksHttpModule, WebhooksWorkerModule } from '#webhooks';
import { DeliveryTransportModule } from './delivery-transport.module.js';
import { PartitionKeeper } from './database/partition-keeper.js';
import { partitionedTables } from './database/schemas.js';
import { DoctorModule } from './doctor/doctor.module.js';
import { version } from './version.js';

type Modules = NonNullable<DynamicModule['imports']>;

export interface AppOptions {
  readonly config: Config;
  readonly database: DatabaseAddress;
  readonly secretKey: string;
  readonly logger: Logger;
  readonly adapters: Adapters;
  /** Modules that are only loaded where they are asked for. */
  readonly more?: Modules;
}

/** The program: technologies, features, and for each role the modules that drive them. */
@Module({})
export class AppModule {
  static forRoot(options: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ...technologies(options),
        ...features(options.config),
        ...drivers(options.config),
        ...(options.more ?? []),
        DoctorModule,
      ],
      providers: [{ provide: APP_FILTER, useClass: ContractExceptionFilter }, PartitionKeeper],
    };
  }
}

function technologies({ config, database, secretKey, logger, adapters }: AppOptions): Modules {
  return [
    ConfigModule.forRoot(config),
    AdaptersModule.forRoot(adapters),
    LoggingModule.forRoot(logger),
    SecretsModule.forRoot(secretKey, config.values.secretKeyPrevious),
    DatabaseModule.forRoot({ address: database, poolSize: config.values.databasePool }),
    QueueModule.forRoot({ databaseUrl: database.directUrl, redisUrls: config.values.redisUrl }),
    RedisModule.forRoot(config.values.redisUrl),
    ClockModule,
    TimersModule,
    WorkModule,
    TlsModule,
    MetricsModule,
    EventLoopModule,
    TracingModule,
    DiskModule,
    OutboundHttpModule,
    ParsingModule,
    PurgesModule,
    PrivacyRegistryModule,
    ResponsesModule,
    HealthModule,
  ];
}

function features(config: Config): Modules {
  const { delivers } = config;
  return [
    RateLimitModule,
    IdentityModule,
    AuditModule,
    DomainsModule,
    CertificatesModule,
    AudienceModule,
    RequestLogsModule,
    FeedbackDataModule,
    EmailsModule,
    BroadcastsModule,
    DomainActivityModule,
    RoutingModule,
    ReceivingAddressesModule,
    InboundModule,
    RoutesPrivacyModule,
    InsightsDataModule,
    SandboxDataModule,
    InboxesPrivacyModule,
    AutomationsPrivacyModule,
    NoticesModule,
    ReputationModule,
    // The processes of WORKERS listen on loopback only, so the metrics of the queue are read here.
    DeliveryModule.forRoot({
      transport: delivers ? DeliveryTransportModule : undefined,
      metrics: config.values.workers > 0,
    }),
    ...(hasSandbox(config) ? [SandboxModule.forRoot({ worker: delivers })] : []),
  ];
}

function drivers(config: Config): Modules {
  return [
    ...(config.has('api') ? apiDrivers(config) : []),
    ...(config.has('smtp') || config.has('inbound') ? [FeedbackModule, SmtpModule, receiver(config)] : []),
    ...(config.has('inbound') ? [ReportsModule, RouteBouncesModule] : []),
    ...(config.delivers ? [PaceModule] : []),
    ...(config.has('worker') ? [...workersOf(config), NoticesWorkerModule.forRoot(config)] : []),
  ];
}

function receiver(config: Config): Modules[number] {
  return config.has('inbound') ? InboundListenerModule : InboundElsewhereModule;
}

/** What all cells share is checked and acted upon in the home cell alone. */
function workersOf({ values: { cell, cells } }: Config): Modules {
  return cells[0]?.name === cell ? [...mailWorkers, ...homeWorkers] : mailWorkers;
}

const homeWorkers: Modules = [
  ContactActivityWorkerModule,
  ContactImportsWorkerModule,
  AudienceWorkerModule,
  AccountsWorkerModule,
  AutomationsWorkerModule,
  BroadcastsWorkerModule,
  OAuthWorkerModule,
  DomainsWorkerModule,
  ImagesWorkerModule,
  ProviderReportsWorkerModule,
];

const mailWorkers: Modules = [
  AuditWorkerModule,
  CertificatesWorkerModule,
  EmailsWorkerModule,
  FeedbackWorkerModule,
  InboundWorkerModule,
  RouteActionsModule,
  InboxesWorkerModule,
  IdempotencyWorkerModule,
  InsightsWorkerModule,
  PrivacyWorkerModule,
  ReportsWorkerModule,
  ReputationWorkerModule,
  RetentionModule.forRoot(partitionedTables),
  WebhooksWorkerModule,
];

function apiDrivers(config: Config): Modules {
  return [
    ...(config.values.cells.length > 0 ? [CellsHttpModule] : []),
    OpenApiModule,
    ContactImportsHttpModule,
    AudienceHttpModule,
    AutomationsHttpModule,
    BroadcastsHttpModule,
    EditorHttpModule,
    ImagesHttpModule,
    AuditHttpModule,
    AccountsHttpModule,
    OAuthHttpModule,
    DomainsHttpModule,
    ReportsHttpModule,
    ReputationHttpModule,
    InboundRoutesHttpModule,
    InboxesHttpModule,
    InsightsHttpModule.forRoot({ listings: DoctorModule }),
    InboundHttpModule,
    EmailsHttpModule,
    DeliveryHttpModule,
    ChecksHttpModule,
    IdentityHttpModule.forRoot(DomainsModule),
    PrivacyHttpModule,
    SuppressionsHttpModule,
    TemplatesHttpModule,
    LiveHttpModule,
    MxHttpModule,
    MachineRoomHttpModule.forRoot({ version, diagnosis: DoctorModule }),
    RequestLogsHttpModule,
    SearchHttpModule,
    TrackingHttpModule,
    UnsubscribeHttpModule,
    WebhooksHttpModule,
    ...(config.values.mcp === 'on' ? [McpHttpModule.forRoot(version)] : []),
    ...(hasSandbox(config) ? [SandboxHttpModule] : []),
  ];
}

function hasSandbox({ values }: Config): boolean {
  return values.deliveryTransport === 'sandbox';
}
