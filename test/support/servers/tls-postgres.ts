import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#postgres/embedded';
import { findBinaries } from '../../../libs/postgres/src/embedded/binaries.js';
import { freePort } from '../runner/free-port.js';
import { IssuedCertificate } from './test-authority.js';
import { until } from '../runner/until.js';

/** A PostgreSQL on `localhost` that accepts connections over TLS only, like a managed one. */
export class TlsPostgres {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {}

  static async start({ cert, key }: IssuedCertificate): Promise<TlsPostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-tls-'));
    await chmod(dataDir, 0o711);
    const embedded = await startEmbeddedPostgres({ dataDir, onLog: () => {} });
    const { username, password, pathname } = new URL(embedded.url);
    await embedded.stop();
    const cluster = join(dataDir, 'postgres');
    const { uid, gid } = await stat(cluster);
    const files = {
      'server.crt': cert,
      'server.key': key,
      'pg_hba.conf': 'hostssl all all 127.0.0.1/32 scram-sha-256\n',
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(cluster, name), text, { mode: 0o600 });
      await chown(join(cluster, name), uid, gid);
    }
    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'ssl=on', 'unix_socket_directories='];
    const { postgres } = await findBinaries();
    const child = spawn(postgres, ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
      return output.includes('ready to accept connections');
    }, 60_000);
    return new TlsPostgres(`postgres://${username}:${password}@localhost:${port}${pathname}`, child, dataDir);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      this.child.kill('SIGINT');
      await once(this.child, 'exit');
    }
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
