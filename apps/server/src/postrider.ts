import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Adapters } from '#platform/adapters';
import { Config, ConfigError, InstallationFacts, readConfig } from '#platform/config';
import { Readiness } from '#observability/health';
import {
  boundResponses,
  closeConnectionsOnceStopping,
  createFastifyAdapter,
  ReadBudget,
  RequestTurns,
} from '#http/server';
import { PublicListeners } from '#http/tls';
import { InboxToken } from '#sandbox';
import { ApiDocument } from '#http/openapi';
import { Tracing } from '#observability/tracing';
import { SmtpListeners, SmtpPorts } from '#smtp';
import { AppModule, AppOptions } from './app.module.js';
import { bootstrap, FirstStart, ownerLink } from './bootstrap.js';
import { serveDashboard } from './dashboard/serve-dashboard.js';
import { BegunStart, beginStart } from './database/begin-start.js';
import { migrate } from './database/migrate.js';
import { secretKeyOf } from './secret-key.js';
import { stopGently } from './stop-gently.js';
import { startWorkers } from './workers/start-workers.js';

export interface PostriderOptions {
  /** Default: read from the environment. */
  readonly config?: Config;
  /** Adapters to use instead of those that the configuration would choose. */
  readonly adapters?: Adapters;
}

/** A running Postrider. */
export interface Postrider {
  /** Base URL of the HTTP API as it listens. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** The addresses where SMTP submission listens, and those where it could not. */
  readonly smtp: SmtpPorts;
  /** The API key that the first start created; undefined at later starts. */
  readonly firstStart: FirstStart | undefined;
  /** Link with which the first owner is made; undefined once there is one. */
  readonly ownerUrl: string | undefined;
  /** Link to the page of the sandbox's inbox; undefined if there is none. */
  readonly inboxUrl: string | undefined;
  /** Finishes the work under way and stops everything, the embedded PostgreSQL last. */
  stop(): Promise<void>;
}

/** Starts the program: database, schema, modules, HTTP. If a step fails, everything already started is stopped again. */
export async function startPostrider(options: PostriderOptions = {}, begun?: BegunStart): Promise<Postrider> {
  const config = begun?.config ?? options.config ?? readConfig(process.env);
  if (config.values.workers > 0) refuseOptionsWithWorkers(options);
  const { logger, teardown, ...opening } = begun ?? beginStart(config);
  try {
    const database = await opening.database;
    const secretKey = await secretKeyOf(config, database.directUrl);
    await migrate(database.directUrl);
    const adapters = options.adapters ?? new Adapters();
    const app = await NestFactory.create<NestFastifyApplication>(
      AppModule.forRoot({ config, database, secretKey, logger, adapters, more: await askedFor(config) }),
      createFastifyAdapter({
        trustedProxies: config.values.trustedProxies,
        maxConnections: config.values.httpMaxConnections,
        maxConnectionsPerNetwork: config.values.httpMaxConnectionsPerNetwork,
        hostPaths: new Map(config.values.wireHosts.map(({ wire, host }) => [host, `/${wire}`])),
      }),
      { logger, bodyParser: false, abortOnError: false },
    );
    let workers: { stop(): Promise<void> } | undefined;
    teardown.add(() => stopGently(app, config, workers));
    // The other roles do not load the modules that choose adapters of delivery.
    if (config.delivers) adapters.refuseUnused();
    const readiness = app.get(Readiness, { strict: false });
    closeConnectionsOnceStopping(
      app.getHttpAdapter().getInstance(),
      () => readiness.isStopping,
      config.values.shutdownSeconds * 1_000,
    );
    if (config.has('api')) await serveDashboard(app.getHttpAdapter().getInstance(), config);
    if (isPublic(config)) app.get(PublicListeners).addHeaders(app.getHttpAdapter().getInstance());
    await app.init();
    app.get(RequestTurns).follow(app.getHttpAdapter().getInstance());
    boundResponses(app.getHttpAdapter().getInstance(), app.get(ReadBudget));
    app.get(Tracing).follow(app.getHttpAdapter().getInstance());
    if (config.has('api')) app.get(ApiDocument).describe(app, config.values.publicUrl);
    const firstStart = await bootstrap(app, config);
    await app.listen(config.values.httpPort, config.values.httpHost);
    if (isPublic(config)) await app.get(PublicListeners).listen(app.getHttpAdapter().getInstance());
    const url = await app.getUrl();
    const smtp = await listenForSmtp(app, config);
    if (config.values.workers > 0) {
      workers = await startWorkers(app, { config, database, secretKey, logger, environment: process.env });
    }
    const ownerPath = await ownerLink(app, config);
    const ownerUrl = ownerPath === undefined ? undefined : `${config.values.publicUrl ?? url}${ownerPath}`;
    return { url, app, smtp, firstStart, ownerUrl, inboxUrl: inboxUrl(app, config, url), stop: () => teardown.run() };
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

function isPublic(config: Config): boolean {
  return config.values.tlsAcme === 'on' && config.has('api');
}

async function askedFor(config: Config): Promise<NonNullable<AppOptions['more']>> {
  const { wires } = config.values;
  if (wires.length === 0) return [];
  const { WireFieldsModule, WireFormatsModule, WiresModule } = await import('#wires');
  return [
    ...(config.has('api') ? [WiresModule.forRoot(wires)] : []),
    ...(config.has('api') || config.has('worker') ? [WireFormatsModule.forRoot(wires)] : []),
    ...(config.has('smtp') ? [WireFieldsModule.forRoot(wires)] : []),
  ];
}

/** Worker processes read only the environment: a configuration or adapters passed in memory do not reach them. */
function refuseOptionsWithWorkers({ config, adapters }: PostriderOptions): void {
  if (config === undefined && adapters === undefined) return;
  throw new ConfigError([
    'WORKERS cannot be used by a program with its own configuration or adapters: start that program with ROLES=worker',
  ]);
}

async function listenForSmtp(app: NestFastifyApplication, config: Config): Promise<SmtpPorts> {
  const listens = config.has('smtp') || config.has('inbound');
  if (!listens) return { listening: [], unavailable: [] };
  const ports = await app.get(SmtpListeners).listen();
  if (config.has('smtp')) app.get(InstallationFacts).smtpOpened(ports.listening);
  return ports;
}

function inboxUrl(app: NestFastifyApplication, config: Config, url: string): string | undefined {
  const hasInbox = config.values.deliveryTransport === 'sandbox' && config.has('api');
  return hasInbox ? app.get(InboxToken).link(url) : undefined;
}
