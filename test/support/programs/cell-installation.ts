import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectCell } from '../../../apps/server/src/cells/connect-cell.js';
import { allRecords, publishRecords, ReturnedRecord } from '../builders/published-records.js';
import { until } from '../runner/until.js';
import { DnsServer } from '../servers/dns-server.js';
import { freePort } from '../runner/free-port.js';
import { KillablePostgres } from '../servers/killable-postgres.js';
import { SmtpSink } from '../servers/smtp-sink.js';
import { ProgramProcess, startProgramProcess } from './program-process.js';

export const cellApiKey = 're_cells_0123456789abcdef';
/** Domain of the receivers. */
export const receivers = 'good.test';

/** One cell: a PostgreSQL and a program. */
export class TestCell {
  program: ProgramProcess | undefined;

  constructor(
    readonly name: string,
    readonly postgres: KillablePostgres,
    readonly port: number,
    private readonly environment: () => Readonly<Record<string, string>>,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.program = await startProgramProcess(this.environment());
  }

  /** Kills the program with SIGKILL and starts it again. */
  async replace(): Promise<void> {
    await this.program?.kill();
    await this.start();
  }

  request(path: string, { method = 'GET', headers = {}, body, signal }: CellRequestOptions = {}): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${cellApiKey}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  }

  /** The response. Throws if it is no success. */
  async json<T>(path: string, options?: CellRequestOptions): Promise<T> {
    const response = await this.request(path, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} in ${this.name}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

export interface CellRequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** An installation of several cells on loopback, with the receiving server and DNS. The first cell is the home cell. */
export class CellInstallation {
  private constructor(
    readonly cells: readonly TestCell[],
    readonly dns: DnsServer,
    readonly sink: SmtpSink,
    private readonly directory: string,
  ) {}

  static async start(
    names: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<CellInstallation> {
    const [dns, sink, directory] = await Promise.all([
      DnsServer.listen(),
      SmtpSink.listen({ keep: true }),
      mkdtemp(join(tmpdir(), 'postrider-cells-')),
    ]);
    dns.mx(receivers, [10, `mx.${receivers}`]).a(`mx.${receivers}`, '127.0.0.1');
    const cells: TestCell[] = [];
    const settingsOf = (name: string): Record<string, string> => {
      const cell = cells.find((one) => one.name === name) as TestCell;
      return {
        DATABASE_URL: cell.postgres.url,
        SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        DATA_DIR: join(directory, name),
        HTTP_PORT: String(cell.port),
        SMTP_LISTEN: '127.0.0.1:0+tls',
        LOG_LEVEL: 'fatal',
        ...(cell === cells[0] ? { BOOTSTRAP_API_KEY: cellApiKey } : {}),
        REGIONS: names.map((one) => `${one}=${one}.service.test`).join(','),
        CELLS: cells.map((one) => `${one.name}=${one.url}`).join(','),
        CELL: name,
        TRUSTED_PROXIES: '127.0.0.1',
        RATE_LIMIT_PER_SECOND: '10000',
        DELIVERY_TRANSPORT: 'mx',
        MX_PORT: String(sink.port),
        DNS_SERVERS: dns.address,
        ALLOW_PRIVATE_DESTINATIONS: 'true',
        HELO_NAME: `${name}.service.test`,
        HOST_NAME: 'mail.service.test',
        ...environment,
      };
    };
    const servers = await Promise.all(names.map(() => KillablePostgres.start({ wal_level: 'logical' })));
    for (const [index, name] of names.entries())
      cells.push(new TestCell(name, servers[index] as KillablePostgres, await freePort(), () => settingsOf(name)));
    const installation = new CellInstallation(cells, dns, sink, directory);
    await installation.connect();
    await Promise.all(cells.map((cell) => cell.start()));
    return installation;
  }

  cell(name: string): TestCell {
    const found = this.cells.find((cell) => cell.name === name);
    if (found === undefined) throw new Error(`there is no cell ${name}`);
    return found;
  }

  /** Adds a verified domain in the home cell, and waits until all cells know it. */
  async addDomain(name: string, region: string): Promise<string> {
    const [home, ...others] = this.cells as [TestCell, ...TestCell[]];
    const domain = await home.json<{ id: string; records: ReturnedRecord[] }>('/domains', {
      method: 'POST',
      body: { name, region },
    });
    publishRecords(this.dns, name, allRecords(domain));
    await home.request(`/domains/${domain.id}/verify`, { method: 'POST' });
    const known = async (cell: TestCell): Promise<boolean> => {
      const dry = { from: `a@${name}`, to: `b@${receivers}`, subject: 's', text: 't' };
      return (await cell.request('/emails/dry-run', { method: 'POST', body: dry })).ok;
    };
    await until(
      async () => (await home.json<{ status: string }>(`/domains/${domain.id}`)).status === 'verified',
      60_000,
    );
    for (const cell of others) await until(() => known(cell), 30_000);
    return domain.id;
  }

  async stop(): Promise<void> {
    await Promise.all(this.cells.map(async ({ program }) => program?.stop()));
    await Promise.all(this.cells.map(({ postgres }) => postgres.close()));
    await Promise.all([this.sink.close(), this.dns.close()]);
    await rm(this.directory, { recursive: true, force: true });
  }

  /** As `npm run cells -- connect` in each cell, and once more in those that came too early. */
  private async connect(): Promise<void> {
    const [home] = this.cells as [TestCell];
    const connect = (cell: TestCell): ReturnType<typeof connectCell> =>
      connectCell({
        own: cell.name,
        url: cell.postgres.url,
        home: home.name,
        others: new Map(this.cells.filter((one) => one !== cell).map(({ name, postgres }) => [name, postgres.url])),
      });
    for (const cell of this.cells) await connect(cell);
    for (const cell of this.cells) await connect(cell);
  }
}
