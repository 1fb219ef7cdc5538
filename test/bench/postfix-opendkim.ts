import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  freePort,
  PrivatePostfix,
  Settings,
  startPrivatePostfix,
  untilListening,
  whyNoPostfix,
  writtenWith,
} from '../support/servers/private-postfix.js';
import { SkippedCase } from './bench-case.js';
import { cpuSecondsOf, killFamily } from './process-cpu.js';

const run = promisify(execFile);

/** A private Postfix on loopback with OpenDKIM as its milter, which relays everything to one receiving server. */
export interface PostfixOpenDkim {
  readonly port: number;
  /** Where the mail lies that is not delivered yet. */
  readonly queueDirectory: string;
  /** CPU of both together. */
  cpuSeconds(): number;
  openDkimCpuSeconds(): number;
  /** Kills all processes of Postfix with SIGKILL and starts it again on the same queue. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

interface OpenDkim {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Debian's packages `postfix` and `opendkim`, as root (Postfix changes users); otherwise the case is skipped. */
export async function startPostfixOpenDkim(sinkPort: number): Promise<PostfixOpenDkim> {
  await requireInstalled();
  const milter = await startOpenDkim();
  let postfix: PrivatePostfix;
  try {
    postfix = await startPrivatePostfix(() => relaying(milter.port, sinkPort));
  } catch (error) {
    await milter.stop();
    throw error;
  }
  return {
    port: postfix.port,
    queueDirectory: join(postfix.directory, 'queue'),
    cpuSeconds: () => cpuSecondsOf(milter.pid) + cpuSecondsOf(postfix.pid),
    openDkimCpuSeconds: () => cpuSecondsOf(milter.pid),
    killAndRestart: async () => {
      killFamily(postfix.pid);
      await postfix.restart();
    },
    stop: async () => {
      await postfix.stop();
      await milter.stop();
    },
  };
}

async function requireInstalled(): Promise<void> {
  const reason = whyNoPostfix();
  if (reason !== undefined) throw new SkippedCase(reason);
  try {
    await run('/usr/sbin/opendkim', ['-V']);
  } catch {
    throw new SkippedCase('OpenDKIM is not installed (Debian: package opendkim)');
  }
}

async function startOpenDkim(): Promise<OpenDkim> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-opendkim-'));
  const port = await freePort();
  await configureOpenDkim(directory, port);
  const child = spawn('/usr/sbin/opendkim', ['-f', '-x', join(directory, 'opendkim.conf')], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      // It keeps nothing, and takes five seconds to end by itself.
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await untilListening(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, pid: child.pid as number, stop };
}

async function configureOpenDkim(directory: string, port: number): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(directory, 'dkim.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  await writeFile(
    join(directory, 'opendkim.conf'),
    writtenWith(' ', {
      Socket: `inet:${port}@127.0.0.1`,
      Mode: 's',
      Domain: 'sandbox.postrider.test',
      Selector: 'bench',
      KeyFile: key,
      Canonicalization: 'relaxed/relaxed',
      SignatureAlgorithm: 'rsa-sha256',
      InternalHosts: '127.0.0.1',
      Syslog: 'no',
      // The directory is under the temporary directory, to which other users may write.
      RequireSafeKeys: 'no',
    }),
  );
}

function relaying(milterPort: number, sinkPort: number): Settings {
  return {
    myhostname: 'mail.bench.test',
    mynetworks: '127.0.0.0/8',
    relayhost: `[127.0.0.1]:${sinkPort}`,
    smtpd_milters: `inet:127.0.0.1:${milterPort}`,
    milter_default_action: 'tempfail',
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_client_connection_count_limit: '0',
    smtp_destination_concurrency_limit: '64',
    default_destination_concurrency_limit: '64',
    initial_destination_concurrency: '20',
    in_flow_delay: '0',
  };
}
