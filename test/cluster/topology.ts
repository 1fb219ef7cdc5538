import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#postgres/embedded';
import { DnsServer } from '../support/servers/dns-server.js';
import { Backend, LoadBalancer } from '../support/servers/load-balancer.js';
import { binaryProxyHeader } from '../support/builders/proxy-headers.js';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { isRedisInstalled, RedisServer } from '../support/servers/redis-server.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

export const clusterApiKey = 're_cluster_0123456789abcdef';
/** Recipient domains. Each has its own mail hosts, so that each is a site with a lane. */
export const sites = Array.from({ length: 9 }, (_, n) => `site${n}.test`);

export type Kind = 'api' | 'smtp' | 'worker';
const counts: Readonly<Record<Kind, number>> = { api: 2, smtp: 1, worker: 3 };

/** The topology of `docker/compose.cluster.yaml` as processes on loopback, with the receiving servers and DNS. */
export class Topology {
  readonly processes: { readonly kind: Kind; program: ProgramProcess }[] = [];
  private readonly undo: (() => Promise<unknown>)[] = [];
  private environment: Record<string, string> = {};

  private constructor(
    readonly databaseUrl: string,
    /** Undefined if Redis is not installed; the queues are then in PostgreSQL. */
    readonly redis: RedisServer | undefined,
    readonly sink: SmtpSink,
  ) {}

  http!: LoadBalancer;
  smtp!: LoadBalancer;

  static async start(): Promise<Topology> {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-cluster-'));
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '200' }, onLog: () => {} });
    const redis = isRedisInstalled() ? await RedisServer.start() : undefined;
    const topology = new Topology(postgres.url, redis, await SmtpSink.listen({ keep: true }));
    topology.undo.push(
      () => rm(dataDir, { recursive: true, force: true }),
      () => postgres.stop(),
      async () => redis?.stop(),
      () => topology.sink.close(),
    );
    try {
      await topology.startProcesses(dataDir);
      return topology;
    } catch (error) {
      await topology.stop();
      throw error;
    }
  }

  /** Kills the process with SIGKILL and starts another one in its place. */
  async killOne(kind: Kind): Promise<void> {
    const slot = this.processes.find((process) => process.kind === kind);
    if (slot === undefined) throw new Error(`there is no ${kind} process`);
    const gone = slot.program;
    await gone.kill();
    slot.program = await this.startProcess(kind);
    if (kind === 'api') this.http.replace(this.backendOf(gone, kind), this.backendOf(slot.program, kind));
    if (kind === 'smtp') this.smtp.replace(this.backendOf(gone, kind), this.backendOf(slot.program, kind));
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map(({ program }) => program.stop()));
    for (const step of this.undo.reverse()) await step();
  }

  private async startProcesses(dataDir: string): Promise<void> {
    const dns = await DnsServer.listen();
    this.undo.push(() => dns.close());
    for (const site of sites) dns.mx(site, [10, `mx.${site}`]).a(`mx.${site}`, '127.0.0.1');
    this.environment = {
      DATABASE_URL: this.databaseUrl,
      ...(this.redis === undefined ? {} : { REDIS_URL: this.redis.nextUrl() }),
      SECRET_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_API_KEY: clusterApiKey,
      DATA_DIR: join(dataDir, 'processes'),
      HTTP_PORT: '0',
      LOG_LEVEL: 'fatal',
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(this.sink.port),
      DNS_SERVERS: dns.address,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
      SHUTDOWN_SECONDS: '5',
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_PROXY_PROTOCOL: 'true',
    };
    const kinds = (Object.keys(counts) as Kind[]).flatMap((kind) => Array<Kind>(counts[kind]).fill(kind));
    const started = await Promise.allSettled(
      kinds.map(async (kind) => ({ kind, program: await this.startProcess(kind) })),
    );
    for (const result of started) if (result.status === 'fulfilled') this.processes.push(result.value);
    for (const result of started) if (result.status === 'rejected') throw result.reason;
    this.http = await this.balance('api');
    this.smtp = await this.balance('smtp');
  }

  private startProcess(kind: Kind): Promise<ProgramProcess> {
    const smtpListen = kind === 'smtp' ? '127.0.0.1:0+tls' : 'none';
    return startProgramProcess({ ...this.environment, ROLES: kind, SMTP_LISTEN: smtpListen });
  }

  private async balance(kind: Kind): Promise<LoadBalancer> {
    const own = this.processes.filter((process) => process.kind === kind);
    const names = kind === 'smtp' ? binaryProxyHeader : undefined;
    const balancer = await LoadBalancer.listen(
      own.map(({ program }) => this.backendOf(program, kind)),
      names,
    );
    this.undo.push(() => balancer.close());
    return balancer;
  }

  private readonly backends = new Map<ProgramProcess, Backend>();

  private backendOf(program: ProgramProcess, kind: Kind): Backend {
    const known = this.backends.get(program);
    if (known !== undefined) return known;
    const port = kind === 'smtp' ? (program.smtpPorts[0] ?? NaN) : program.port;
    const backend = { port, healthUrl: `${program.url}/readyz` };
    this.backends.set(program, backend);
    return backend;
  }
}
