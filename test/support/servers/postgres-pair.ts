import { ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#postgres/embedded';
import { copyCluster } from '../../../apps/server/src/backup/copy-cluster.js';
import { migrate } from '../../../apps/server/src/database/migrate.js';
import { findBinaries } from '../../../libs/postgres/src/embedded/binaries.js';
import { freePort } from '../runner/free-port.js';
import { until } from '../runner/until.js';

interface Server {
  readonly directory: string;
  readonly url: string;
  readonly port: number;
  process: ChildProcess | undefined;
}

/** A PostgreSQL with a synchronous standby that can take over. */
export class PostgresPair {
  private constructor(
    private readonly home: string,
    /** The user that PostgreSQL runs as. */
    private readonly owner: { readonly uid: number; readonly gid: number },
    public primary: Server,
    public standby: Server,
  ) {}

  /** Starts both, with the migrated schema. Each commit waits for the standby from then on. */
  static async start(): Promise<PostgresPair> {
    const home = await mkdtemp(join(tmpdir(), 'postrider-pair-'));
    await chmod(home, 0o711);
    const embedded = await startEmbeddedPostgres({ dataDir: home, onLog: () => {} });
    const { username, password } = new URL(embedded.url);
    await embedded.stop();
    const serverAt = async (name: string): Promise<Server> => {
      const port = await freePort();
      const url = `postgres://${username}:${password}@127.0.0.1:${port}/postrider`;
      return { directory: join(home, name), url, port, process: undefined };
    };
    const owner = await stat(join(home, 'postgres'));
    const pair = new PostgresPair(home, owner, await serverAt('postgres'), await serverAt('standby'));
    await pair.run(pair.primary);
    await migrate(pair.primary.url);
    await pair.addStandby();
    return pair;
  }

  /** The URL with both hosts. */
  get url(): string {
    const { url, port } = this.primary;
    return url.replace(`127.0.0.1:${port}`, `127.0.0.1:${port},127.0.0.1:${this.standby.port}`);
  }

  /** Kills the primary with SIGKILL; its children notice and end. */
  async killPrimary(): Promise<void> {
    await kill(this.primary, 'SIGKILL');
  }

  /** The standby becomes a primary, which waits for no other. */
  async promote(): Promise<void> {
    await query(this.standby.url, 'SELECT pg_promote()');
  }

  /** After a promotion: the old primary, which is dead, becomes the synchronous standby of the one that took over. */
  async replaceStandby(): Promise<void> {
    [this.primary, this.standby] = [this.standby, this.primary];
    await rm(this.standby.directory, { recursive: true });
    await this.addStandby();
  }

  /** Starts the old primary again, which does not know that it was replaced. Its commits wait for a standby. */
  async reviveOldPrimary(): Promise<void> {
    await this.run(this.primary);
  }

  async close(): Promise<void> {
    await Promise.all([this.primary, this.standby].map((server) => kill(server, 'SIGQUIT')));
    await rm(this.home, { recursive: true, force: true });
  }

  private async addStandby(): Promise<void> {
    const { primary, standby } = this;
    const { username, password } = new URL(primary.url);
    await copyCluster(primary.url, primary.directory, standby.directory);
    const source = `host=127.0.0.1 port=${primary.port} user=${username} password=${decodeURIComponent(password)}`;
    const own = `primary_conninfo = '${source} application_name=standby'\nsynchronous_standby_names = ''\n`;
    await appendFile(join(standby.directory, 'postgresql.auto.conf'), own);
    await writeFile(join(standby.directory, 'standby.signal'), '');
    await promisify(execFile)('chown', ['-R', `${this.owner.uid}:${this.owner.gid}`, standby.directory]);
    await this.run(standby);
    await query(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await query(primary.url, 'SELECT pg_reload_conf()');
    await until(async () => {
      const [row] = await query(primary.url, 'SELECT sync_state FROM pg_stat_replication');
      return row?.sync_state === 'sync';
    }, 30_000);
  }

  private async run(server: Server): Promise<void> {
    const { postgres } = await findBinaries();
    const { uid, gid } = this.owner;
    const all = [
      'listen_addresses=127.0.0.1',
      `port=${server.port}`,
      'unix_socket_directories=',
      'max_connections=200',
    ];
    const child = spawn(postgres, ['-D', server.directory, ...all.flatMap((setting) => ['-c', setting])], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    server.process = child;
    await until(() => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
      return /ready to accept (?:read-only )?connections/.test(output);
    }, 60_000);
  }
}

async function kill(server: Server, signal: NodeJS.Signals): Promise<void> {
  const { process: child } = server;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
