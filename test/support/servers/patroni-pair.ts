import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../runner/free-port.js';
import { whyNo } from '../runner/unless.js';
import { until } from '../runner/until.js';
import { debianPrograms, ownerOfPostgres, whyNoArchivedPostgres } from './archived-postgres.js';

interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly directory: string;
  process: ChildProcess | undefined;
  staysDown: boolean;
}

/** Why there can be no such servers here; undefined if there can. Nothing is installed. */
export function whyNoPatroni(): string | undefined {
  return whyNoArchivedPostgres() ?? whyNo('patroni', '--version') ?? whyNo('etcd', '--version');
}

/** Two servers of Debian's PostgreSQL under Patroni with `docker/patroni.yaml`, and an etcd, on ports of loopback. */
export class PatroniPair {
  private etcd: ChildProcess | undefined;
  private etcdPort = 0;

  private constructor(
    private readonly home: string,
    private readonly nodes: readonly Node[],
  ) {}

  /** Resolves once one leads and the other is its synchronous standby. */
  static async start(): Promise<PatroniPair> {
    const home = await mkdtemp(join(tmpdir(), 'postrider-patroni-'));
    await chmod(home, 0o711);
    const nodes = await Promise.all(
      ['postgres1', 'postgres2'].map(async (name) => {
        const [port, restPort] = [await freePort(), await freePort()];
        return { name, port, restPort, directory: join(home, name), process: undefined, staysDown: false };
      }),
    );
    const pair = new PatroniPair(home, nodes);
    await pair.startEtcd();
    await pair.writeConfiguration();
    for (const node of nodes) await pair.run(node);
    try {
      await pair.hasStandby();
    } catch (error) {
      await pair.close();
      throw error;
    }
    return pair;
  }

  /** The URL with both servers. */
  get url(): string {
    return `postgres://postrider:secret@${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postrider`;
  }

  /** Resolves once one of them follows; rejects with what Patroni and PostgreSQL said. */
  private async hasStandby(): Promise<void> {
    try {
      await until(async () => (await this.role('sync_standby')) !== undefined, 90_000);
    } catch (error) {
      const logs = await Promise.all(this.nodes.map(({ name }) => readFile(join(this.home, `${name}.log`), 'utf8')));
      throw new Error(logs.map((log) => log.slice(-4_000)).join('\n\n'), { cause: error });
    }
  }

  /** The machine of the leader is lost: neither PostgreSQL nor Patroni can say goodbye. Returns its name. */
  async loseLeader(): Promise<string> {
    const name = await until(() => this.role('leader'));
    const node = this.nodes.find((one) => one.name === name) as Node;
    node.staysDown = true;
    const [postmaster] = (await readFile(join(node.directory, 'main', 'postmaster.pid'), 'utf8')).split('\n');
    node.process?.kill('SIGKILL');
    process.kill(Number(postmaster), 'SIGKILL');
    return node.name;
  }

  /** Resolves once another leads than the one that was lost. */
  async hasNewLeader(lost: string): Promise<void> {
    await until(async () => ![undefined, lost].includes(await this.role('leader')), 60_000);
  }

  async close(): Promise<void> {
    for (const node of this.nodes) node.staysDown = true;
    // Patroni stops its PostgreSQL first.
    await Promise.all(this.nodes.map(({ process: child }) => end(child, 'SIGTERM')));
    await end(this.etcd, 'SIGKILL');
    await rm(this.home, { recursive: true, force: true });
  }

  private async role(role: string): Promise<string | undefined> {
    for (const { restPort } of this.nodes) {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined);
      if (response?.ok !== true) continue;
      const { members } = (await response.json()) as { members: { name: string; role: string; state: string }[] };
      return members.find((member) => member.role === role && member.state === 'running')?.name;
    }
    return undefined;
  }

  private async startEtcd(): Promise<void> {
    const [client, peer] = [await freePort(), await freePort()];
    const [clientUrl, peerUrl] = [client, peer].map((port) => `http://127.0.0.1:${port}`);
    this.etcdPort = client;
    const options = {
      'data-dir': join(this.home, 'etcd'),
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `default=${peerUrl}`,
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value as string]);
    this.etcd = spawn('etcd', args, { stdio: 'ignore' });
    const answers = (): Promise<boolean> => fetch(`${clientUrl}/health`).then(({ ok }) => ok);
    await until(() => answers().catch(() => false));
  }

  /**
   * The image has the script at a path of its own. Nothing is archived, because another test does that, and a lost leader
   * is replaced sooner, to save time.
   */
  private async writeConfiguration(): Promise<void> {
    const text = await readFile('docker/patroni.yaml', 'utf8');
    const changed = text
      .replace('/etc/postrider.sql', join(this.home, 'postrider.sql'))
      .replace('ttl: 30', 'ttl: 20')
      .replace('loop_wait: 10', 'loop_wait: 5')
      .replace('retry_timeout: 10', 'retry_timeout: 5')
      .replace(/archive_command: .*/, "archive_command: 'true'")
      .replace(/restore_command: .*/, "restore_command: 'false'");
    await writeFile(join(this.home, 'postrider.sql'), await readFile('docker/postrider.sql'));
    await writeFile(join(this.home, 'patroni.yaml'), changed);
  }

  private async run(node: Node): Promise<void> {
    const { name, port, restPort, directory } = node;
    const owner = ownerOfPostgres();
    await mkdir(directory);
    if (owner !== undefined) await chown(directory, owner.uid, owner.gid);
    const env = {
      PATH: process.env.PATH,
      HOME: directory,
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `'127.0.0.1:${this.etcdPort}'`,
      PATRONI_SUPERUSER_PASSWORD: 'super',
      PATRONI_REPLICATION_PASSWORD: 'replication',
      POSTGRES_PASSWORD: 'secret',
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(directory, 'main'),
      PATRONI_POSTGRESQL_BIN_DIR: debianPrograms(),
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    };
    const log = await open(join(this.home, `${name}.log`), 'a');
    const start = (): void => {
      node.process = spawn('patroni', [resolve(this.home, 'patroni.yaml')], {
        env,
        cwd: directory,
        stdio: ['ignore', log.fd, log.fd],
        ...owner,
      });
      // As compose.ha.yaml starts it again: Patroni ends when it could not make the first data directory.
      node.process.once('exit', () => void (node.staysDown ? log.close() : start()));
    };
    start();
  }
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
