import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres, startEmbeddedPostgres } from '#postgres/embedded';
import { migrate } from '../../../apps/server/src/database/migrate.js';

/** A PostgreSQL that a test file may kill. It is as durable as in production and keeps its address. */
export class KillablePostgres {
  private constructor(
    private readonly dataDir: string,
    private server: EmbeddedPostgres,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Starts it and migrates the schema. */
  static async start(more: Readonly<Record<string, string>> = {}): Promise<KillablePostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-pg-'));
    const settings = { max_connections: '200', ...more };
    const server = await startEmbeddedPostgres({ dataDir, settings, onLog: () => {} });
    await migrate(server.url);
    return new KillablePostgres(dataDir, server, settings);
  }

  get url(): string {
    return this.server.url;
  }

  /** Kills the postmaster with SIGKILL; its children notice and end. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL');
    await this.server.stop();
  }

  async restart(): Promise<void> {
    const { dataDir, settings } = this;
    this.server = await startEmbeddedPostgres({ dataDir, settings, onLog: () => {} });
  }

  /** Stops all its processes without notice: open connections stay, and the kernel accepts new ones. */
  async freeze(): Promise<void> {
    for (const pid of await this.processes()) process.kill(pid, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    for (const pid of await this.processes()) process.kill(pid, 'SIGCONT');
  }

  async close(): Promise<void> {
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async signal(signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.postmaster(), signal);
  }

  private async postmaster(): Promise<number> {
    return Number((await readFile(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  }

  /** The postmaster comes first, because it would replace children that are stopped. */
  private async processes(): Promise<number[]> {
    const postmaster = await this.postmaster();
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)];
  }
}
