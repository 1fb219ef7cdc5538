import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../runner/free-port.js';
import { until } from '../runner/until.js';

/** The ids of Debian's user `nobody`. */
const nobody = { uid: 65_534, gid: 65_534 };

export function isPgBouncerInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A PgBouncer in transaction mode for all databases of one PostgreSQL, set up according to its documentation. */
export class PgBouncer {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {}

  static async start(postgresUrl: string): Promise<PgBouncer> {
    const url = new URL(postgresUrl);
    const socket = url.searchParams.get('host');
    // PgBouncer refuses to run as root, and only PostgreSQL's user can reach the socket.
    const { uid, gid } = socket === null ? nobody : await stat(socket);
    const directory = await mkdtemp(join(tmpdir(), 'postrider-pgbouncer-'));
    const ownPort = await freePort();
    const settings = join(directory, 'pgbouncer.ini');
    await writeFile(
      settings,
      `[databases]
* = host=${socket ?? url.hostname} port=${url.port} user=${url.username} password=${decodeURIComponent(url.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 20
; A test drops its database, which waits for sessions that idle.
server_idle_timeout = 1
`,
    );
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const path of [directory, settings]) await chown(path, uid, gid);
    const child = spawn('pgbouncer', [settings], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot ? { uid, gid } : {}),
    });
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => {
      if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${output}`);
      return output.includes('process up');
    }, 60_000);
    return new PgBouncer(ownPort, child, directory);
  }

  /** The URL of the same database through this PgBouncer. */
  urlOf(databaseUrl: string): string {
    return pooledUrl(databaseUrl, this.port);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Whether two URLs name the same server, on a socket or a port. */
export function isSameServer(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.host === b.host && a.searchParams.get('host') === b.searchParams.get('host');
}

/** A database's URL with the port of a pooler on loopback. */
export function pooledUrl(databaseUrl: string, port: number | string): string {
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.delete('host');
  return url.toString();
}
