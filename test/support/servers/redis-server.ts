import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../runner/free-port.js';
import { until } from '../runner/until.js';

/** Number of databases of the server. Each program under test has its own. */
const databases = 10_000;

export function isRedisInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A private Redis on loopback without persistence. */
export class RedisServer {
  private child: ChildProcess | undefined;
  private taken = 0;

  private constructor(
    readonly port: number,
    private readonly directory: string,
  ) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'postrider-redis-')));
    await server.run();
    return server;
  }

  /** The URL of a database that no other caller has. */
  nextUrl(): string {
    return `redis://127.0.0.1:${this.port}/${this.taken++ % databases}`;
  }

  /** Deletes all data, as an operator might. */
  async empty(): Promise<void> {
    const client = new Redis(this.port, '127.0.0.1');
    await client.flushall();
    client.disconnect();
  }

  /** Starts it again after `kill`, at the same address and without data. */
  async run(): Promise<void> {
    const settings = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', [...settings, '--databases', `${databases}`, '--dir', this.directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => {
      if (child.exitCode !== null) throw new Error(`Redis did not start:\n${output}`);
      return output.includes('Ready to accept connections');
    }, 60_000);
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}
