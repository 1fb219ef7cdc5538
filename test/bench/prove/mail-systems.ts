import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, QueryResultRow } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { freePort } from '../../support/servers/private-postfix.js';
import { exchange, open, requestOf } from '../load/http-load.js';
import { mimeOf, singleSends } from '../load/load-case.js';
import { SmtpConnection } from '../load/smtp-load.js';
import { PostfixOpenDkim, startPostfixOpenDkim } from '../postfix-opendkim.js';
import { cpuSecondsOf, ownCpuSecondsOf } from '../process-cpu.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';

const ownerMayExecute = 0o100;

/** One connection of a client. */
export interface Submission {
  /** Resolves to whether the email was accepted (2xx). Rejects if the connection ends before the response. */
  submit(no: number): Promise<boolean>;
  close(): void;
}

export type KilledProcess = 'server' | 'postgres';

/** A program that accepts emails and delivers them to the receiving server, with all that belongs to it. */
export interface MailSystem {
  readonly name: 'postrider' | 'postfix_opendkim';
  /** The process that makes the RSA signatures. */
  readonly signer: string;
  readonly versions: Readonly<Record<string, string>>;
  /** What is killed in turn. */
  readonly killed: readonly KilledProcess[];
  connect(): Promise<Submission>;
  /** CPU seconds so far, by process. */
  cpuSeconds(): Record<string, number>;
  /** Sends SIGKILL. Resolves once the process is started again, or at once if the program does that by itself. */
  kill(what: KilledProcess): Promise<void>;
  /** Whether no accepted email waits for its delivery. */
  isDone(): Promise<boolean>;
  stop(): Promise<void>;
}

export class PostriderSystem implements MailSystem {
  readonly name = 'postrider';
  readonly signer = 'node';
  readonly killed = ['server', 'postgres'] as const;

  private constructor(
    private readonly environment: Readonly<Record<string, string>>,
    private readonly dataDir: string,
    private server: ServerProcess,
    readonly versions: Readonly<Record<string, string>>,
    /** What PostgreSQL says of itself to a new connection. */
    readonly durability: Readonly<Record<string, string>>,
  ) {}

  static async start(sinkPort: number): Promise<PostriderSystem> {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-prove-'));
    const environment = {
      DATA_DIR: dataDir,
      // The same after each kill, so that clients find it again.
      HTTP_PORT: String(await freePort()),
      // A killed PostgreSQL is an error that this program causes itself.
      LOG_LEVEL: 'fatal',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sinkPort}?tls=none`,
    };
    const server = await startServer(environment);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const [settings] = await query<Record<string, string>>(
      dataDir,
      `SELECT current_setting('server_version') AS postgres, current_setting('synchronous_commit') AS synchronous_commit,
         current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes`,
    );
    const { postgres = '', ...durability } = settings ?? {};
    return new PostriderSystem(environment, dataDir, server, { postrider: version, postgres }, durability);
  }

  async connect(): Promise<Submission> {
    const { path, body } = singleSends('4 KB');
    const socket = await open(this.server.port);
    return {
      submit: async (no) => {
        if (socket.destroyed) throw new Error('The connection is closed');
        const status = await exchange(socket, requestOf({ path, body, apiKey: benchApiKey }, no));
        return status >= 200 && status < 300;
      },
      close: () => socket.destroy(),
    };
  }

  cpuSeconds(): Record<string, number> {
    const node = ownCpuSecondsOf(this.server.pid);
    return { node, postgres: cpuSecondsOf(this.server.pid) - node };
  }

  async kill(what: KilledProcess): Promise<void> {
    if (what === 'server') {
      await this.server.kill();
      this.server = await startServer(this.environment);
    } else {
      const [pid] = (await readFile(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
    }
  }

  /** A recipient whose outcome was not written when a process died is tried again after a minute. That is not waited for. */
  async isDone(): Promise<boolean> {
    const statement = 'UPDATE outbound_queue SET due_at = now() WHERE worker_id IS NULL AND due_at > now()';
    await query(this.dataDir, statement);
    const [left] = await query<{ n: number }>(this.dataDir, 'SELECT count(*)::int AS n FROM outbound_queue');
    return left?.n === 0;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

async function query<Row extends QueryResultRow>(dataDir: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: await runningPostgresUrl(dataDir) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export class PostfixSystem implements MailSystem {
  readonly name = 'postfix_opendkim';
  readonly signer = 'opendkim';
  readonly killed = ['server'] as const;

  private constructor(
    private readonly postfix: PostfixOpenDkim,
    readonly versions: Readonly<Record<string, string>>,
  ) {}

  /** @throws SkippedCase with the reason why it cannot run here. */
  static async start(sinkPort: number): Promise<PostfixSystem> {
    const postfix = await startPostfixOpenDkim(sinkPort);
    const output = (program: string, ...args: string[]): string => execFileSync(program, args, { encoding: 'utf8' });
    const [, openDkim = ''] = /Filter v(\S+)/.exec(output('/usr/sbin/opendkim', '-V')) ?? [];
    const version = output('/usr/sbin/postconf', '-d', '-h', 'mail_version').trim();
    return new PostfixSystem(postfix, { postfix: version, opendkim: openDkim });
  }

  async connect(): Promise<Submission> {
    const socket = connect(this.postfix.port, '127.0.0.1');
    const connection = new SmtpConnection(socket);
    await connection.replies(1);
    connection.send('EHLO bench.test\r\n');
    await connection.replies(1);
    return {
      submit: async (no) => (await connection.submit(`user${no}@sink.test`, mimeOf(no))).startsWith('250'),
      close: () => connection.end(),
    };
  }

  cpuSeconds(): Record<string, number> {
    const opendkim = this.postfix.openDkimCpuSeconds();
    return { postfix: this.postfix.cpuSeconds() - opendkim, opendkim };
  }

  kill(): Promise<void> {
    return this.postfix.killAndRestart();
  }

  /** A file that is not executable was not complete when Postfix was killed, so its email was never accepted. */
  isDone(): Promise<boolean> {
    const waiting = ['maildrop', 'incoming', 'active', 'deferred'].flatMap((name) => {
      const directory = join(this.postfix.queueDirectory, name);
      return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((file) => join(directory, file));
    });
    return Promise.resolve(!waiting.some(isWaitingEmail));
  }

  stop(): Promise<void> {
    return this.postfix.stop();
  }
}

function isWaitingEmail(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.isFile() && (stat.mode & ownerMayExecute) !== 0;
}
