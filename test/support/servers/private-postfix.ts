import { ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const startDeadlineMs = 20_000;
const masterProgram = '/usr/lib/postfix/sbin/master';

export type Settings = Readonly<Record<string, string>>;

export interface PrivatePostfix {
  readonly port: number;
  readonly pid: number;
  readonly directory: string;
  /** Starts it on the same queue, after its processes were killed. */
  restart(): Promise<void>;
  /** Ends Postfix and removes its directory. */
  stop(): Promise<void>;
}

/** Why Postfix cannot be used here; undefined if it can. Nothing is installed. */
export function whyNoPostfix(): string | undefined {
  if (!existsSync(masterProgram)) return 'Postfix is not installed (Debian: package postfix)';
  return process.getuid?.() === 0 ? undefined : 'Postfix starts only as root';
}

/**
 * A private Postfix with its configuration, queue and data in its own directory and one listener on loopback. It is
 * independent of the system's Postfix. `settings` is called for the content of main.cf once the directory exists.
 */
export async function startPrivatePostfix(
  settings: (directory: string) => Settings | Promise<Settings>,
): Promise<PrivatePostfix> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-postfix-'));
  let master: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (master !== undefined && master.exitCode === null && master.signalCode === null) {
      master.kill('SIGTERM');
      await once(master, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await chmod(directory, 0o755);
    const port = await freePort();
    await configure(directory, port, await settings(directory));
    await run('/usr/sbin/postfix', ['-c', join(directory, 'etc'), 'check']);
    const start = async (): Promise<void> => {
      // Postfix's own start scripts detach; `master -d` stays a child of this process, which can end it.
      master = spawn(masterProgram, ['-c', join(directory, 'etc'), '-d'], { stdio: 'ignore' });
      await untilListening(port);
    };
    await start();
    return {
      port,
      get pid() {
        return master?.pid as number;
      },
      directory,
      restart: start,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function configure(directory: string, port: number, own: Settings): Promise<void> {
  const etc = join(directory, 'etc');
  await mkdir(etc);
  for (const name of ['queue', 'data']) await mkdir(join(directory, name));
  await chown(join(directory, 'data'), Number((await run('id', ['-u', 'postfix'])).stdout), 0);
  for (const name of ['postfix-files', 'dynamicmaps.cf', 'postfix-script']) {
    await cp(join('/etc/postfix', name), join(etc, name)).catch(() => undefined);
  }
  const settings: Settings = {
    compatibility_level: '3.6',
    queue_directory: join(directory, 'queue'),
    data_directory: join(directory, 'data'),
    mydestination: '',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    alias_maps: '',
    maillog_file: '',
    ...own,
  };
  await writeFile(join(etc, 'main.cf'), writtenWith(' = ', settings));
  await writeFile(join(etc, 'master.cf'), services(port));
}

/** One setting per line. */
export function writtenWith(separator: string, values: Settings): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}${separator}${value}\n`)
    .join('');
}

/** The services of a default installation that are needed here, none of them in a chroot. */
function services(port: number): string {
  const lines = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'virtual unix - n n - - virtual',
    ...['error', 'retry'].map((name) => `${name} unix - - n - - error`),
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
  ];
  return `${lines.join('\n')}\n`;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export async function untilListening(port: number): Promise<void> {
  const deadline = performance.now() + startDeadlineMs;
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (performance.now() > deadline) throw new Error(`Nothing listens on port ${port}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
