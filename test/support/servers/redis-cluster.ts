import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../runner/free-port.js';
import { until } from '../runner/until.js';

const slots = 16_384;

interface Node {
  readonly port: number;
  readonly busPort: number;
  readonly child: ChildProcess;
}

/** A Redis Cluster of three nodes on loopback without persistence, each with a third of the slots. */
export class RedisCluster {
  private constructor(
    private readonly nodes: readonly Node[],
    private readonly directory: string,
  ) {}

  static async start(): Promise<RedisCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'postrider-redis-cluster-'));
    const nodes = [await startNode(directory), await startNode(directory), await startNode(directory)];
    const cluster = new RedisCluster(nodes, directory);
    await cluster.join();
    return cluster;
  }

  /** The URLs in the form of `REDIS_URL`. */
  get urls(): string {
    return this.nodes.map(({ port }) => `redis://127.0.0.1:${port}`).join(',');
  }

  /** The sum over all nodes. */
  async keys(pattern: string): Promise<string[]> {
    return (await this.ask((redis) => redis.keys(pattern))).flat();
  }

  async stop(): Promise<void> {
    for (const { child } of this.nodes) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await rm(this.directory, { recursive: true, force: true });
  }

  private async join(): Promise<void> {
    const share = Math.ceil(slots / this.nodes.length);
    await this.ask((redis, n) =>
      redis.call('CLUSTER', 'ADDSLOTSRANGE', n * share, Math.min(slots, (n + 1) * share) - 1),
    );
    const [first, ...others] = this.nodes as [Node, ...Node[]];
    for (const { port, busPort } of others) {
      await asked(first.port, (redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort));
    }
    await until(async () => {
      const states = await this.ask((redis) => redis.cluster('INFO'));
      return states.every((state) => String(state).includes('cluster_state:ok'));
    }, 60_000);
  }

  private ask<Result>(question: (redis: Redis, n: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.nodes.map(({ port }, n) => asked(port, (redis) => question(redis, n))));
  }
}

async function asked<Result>(port: number, question: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(port, '127.0.0.1');
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

async function startNode(directory: string): Promise<Node> {
  const [port, busPort] = [await freePort(), await freePort()];
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory];
  const clustered = ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`];
  const child = spawn('redis-server', [...settings, ...clustered, '--cluster-config-file', `nodes-${port}.conf`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`Redis did not start:\n${output}`);
    return output.includes('Ready to accept connections');
  }, 60_000);
  return { port, busPort, child };
}
