import { ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SkippedCase } from './bench-case.js';
import { cpuSecondsOf } from './process-cpu.js';

const run = promisify(execFile);
const startDeadlineMs = 20_000;

/** A Postfix of our own with OpenDKIM as its milter, on loopback, that hands everything to one receiving server. */
export interface PostfixOpenDkim {
  readonly port: number;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Debian's packages `postfix` and `opendkim`, as root (Postfix changes users); otherwise the case is skipped. */
export async function startPostfixOpenDkim(sinkPort: number): Promise<PostfixOpenDkim> {
  await requireInstalled();
  const directory = await mkdtemp(join(tmpdir(), 'postrider-postfix-'));
  await chmod(directory, 0o755);
  const [port, milterPort] = [await freePort(), await freePort()];
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await configureOpenDkim(directory, milterPort);
    await configurePostfix(directory, port, milterPort, sinkPort);
    children.push(spawn('/usr/sbin/opendkim', ['-f', '-x', join(directory, 'opendkim.conf')], { stdio: 'ignore' }));
    await untilListening(milterPort);
    // The scripts around it detach; `master -d` stays where its parent can end it.
    await run('/usr/sbin/postfix', ['-c', join(directory, 'etc'), 'check']);
    children.push(spawn('/usr/lib/postfix/sbin/master', ['-c', join(directory, 'etc'), '-d'], { stdio: 'ignore' }));
    await untilListening(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    cpuSeconds: () => children.reduce((sum, { pid }) => sum + cpuSecondsOf(pid as number), 0),
    stop,
  };
}

async function requireInstalled(): Promise<void> {
  if (process.getuid?.() !== 0) throw new SkippedCase('Postfix starts only as root');
  try {
    await run('/usr/sbin/opendkim', ['-V']);
    await run('/usr/sbin/postconf', ['-d', 'mail_version']);
  } catch {
    throw new SkippedCase('it is not installed (Debian: packages postfix and opendkim)');
  }
}

async function configureOpenDkim(directory: string, port: number): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(directory, 'dkim.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  await writeFile(
    join(directory, 'opendkim.conf'),
    settings(' ', {
      Socket: `inet:${port}@127.0.0.1`,
      Mode: 's',
      Domain: 'sandbox.postrider.test',
      Selector: 'bench',
      KeyFile: key,
      Canonicalization: 'relaxed/relaxed',
      SignatureAlgorithm: 'rsa-sha256',
      InternalHosts: '127.0.0.1',
      Syslog: 'no',
      // The directory is under the temporary one, which others may write to.
      RequireSafeKeys: 'no',
    }),
  );
}

async function configurePostfix(directory: string, port: number, milterPort: number, sinkPort: number): Promise<void> {
  const etc = join(directory, 'etc');
  await mkdir(etc);
  for (const name of ['queue', 'data']) await mkdir(join(directory, name));
  await chown(join(directory, 'data'), Number((await run('id', ['-u', 'postfix'])).stdout), 0);
  for (const name of ['postfix-files', 'dynamicmaps.cf', 'postfix-script']) {
    await cp(join('/etc/postfix', name), join(etc, name)).catch(() => undefined);
  }
  await writeFile(
    join(etc, 'main.cf'),
    settings(' = ', {
      compatibility_level: '3.6',
      queue_directory: join(directory, 'queue'),
      data_directory: join(directory, 'data'),
      myhostname: 'mail.bench.test',
      mydestination: '',
      mynetworks: '127.0.0.0/8',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      relayhost: `[127.0.0.1]:${sinkPort}`,
      alias_maps: '',
      smtpd_milters: `inet:127.0.0.1:${milterPort}`,
      milter_default_action: 'tempfail',
      smtpd_relay_restrictions: 'permit_mynetworks, reject',
      smtpd_client_connection_count_limit: '0',
      smtp_destination_concurrency_limit: '64',
      default_destination_concurrency_limit: '64',
      initial_destination_concurrency: '20',
      in_flow_delay: '0',
      maillog_file: '',
    }),
  );
  await writeFile(join(etc, 'master.cf'), services(port));
}

function settings(separator: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}${separator}${value}\n`)
    .join('');
}

/** Every service of a default installation that this one uses, none of them in a chroot. */
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
    ...['error', 'retry'].map((name) => `${name} unix - - n - - error`),
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
  ];
  return `${lines.join('\n')}\n`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilListening(port: number): Promise<void> {
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
