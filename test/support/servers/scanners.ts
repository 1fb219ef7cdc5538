import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../runner/free-port.js';
import { until } from '../runner/until.js';

export interface RunningScanner {
  /** For RSPAMD_URL or CLAMAV_URL. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const startDeadlineMs = 60_000;

/** Why Rspamd cannot be used here; undefined if it can. Nothing is installed. */
export function whyNoRspamd(): string | undefined {
  return whyNoProgram('/usr/bin/rspamd', 'rspamd');
}

export function whyNoClamd(): string | undefined {
  return whyNoProgram('/usr/sbin/clamd', 'clamav-daemon');
}

function whyNoProgram(path: string, debianPackage: string): string | undefined {
  if (!existsSync(path)) return `${path} is not installed (Debian: package ${debianPackage})`;
  return process.getuid?.() === 0 ? undefined : `${path} is started as root only`;
}

/** A private Rspamd without a network: GTUBE, and one rule of its own for what it is told about the client. */
export async function startRspamd(): Promise<RunningScanner> {
  const port = await freePort();
  const files = (directory: string): Readonly<Record<string, string>> => ({
    'tld.dat': 'test\n',
    'rules.lua': `rspamd_config:register_symbol({ name = 'CLIENT_IS_KNOWN', type = 'normal', score = 0.5, callback = function(task)
      return tostring(task:get_from_ip()) == '192.0.2.9' and task:get_from('smtp')[1].addr == 'ada@customer.test'
        and task:get_helo() == 'mx.customer.test' and task:get_recipients('smtp')[1].addr == 'support@acme.test'
    end })`,
    'rspamd.conf': `
      options {
        pidfile = "${directory}/pid"; tempdir = "${directory}"; hs_cache_dir = "${directory}"; url_tld = "${directory}/tld.dat";
        rrd = ""; filters = ""; explicit_modules = []; disable_hyperscan = true;
        dns { nameserver = "127.0.0.1:9"; timeout = 0.1s; retransmits = 1; }
      }
      logging { type = "console"; level = "error"; }
      worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }
      actions { reject = 15; add_header = 6; }
      lua = "${directory}/rules.lua";`,
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> => fetch(`${url}/ping`).then(({ ok }) => ok);
  const command = (directory: string) => [
    '/usr/bin/rspamd',
    '-f',
    '-i',
    '-u',
    'root',
    '-g',
    'root',
    '-c',
    `${directory}/rspamd.conf`,
  ];
  return { url, stop: await startProgram(files, command, isReady) };
}

/** A private clamd that knows one virus. `signature` is the content of the virus. */
export async function startClamd(signature: string): Promise<RunningScanner> {
  const port = await freePort();
  const files = (directory: string): Readonly<Record<string, string>> => ({
    'test.ndb': `Test.Virus:0:0:${Buffer.from(signature).toString('hex')}\n`,
    'clamd.conf': `DatabaseDirectory ${directory}\nTCPSocket ${port}\nTCPAddr 127.0.0.1\nForeground yes\nUser root\nMaxThreads 4\n`,
  });
  const isReady = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('zPING\0'));
      socket.once('data', (reply) => resolve(reply.toString() === 'PONG\0'));
      socket.once('error', reject);
      socket.once('close', () => resolve(false));
    });
  const command = (directory: string) => ['/usr/sbin/clamd', '-c', `${directory}/clamd.conf`];
  return { url: `tcp://127.0.0.1:${port}`, stop: await startProgram(files, command, isReady) };
}

/** Starts a program on files of its own. Resolves to what stops it and removes them. */
async function startProgram(
  files: (directory: string) => Readonly<Record<string, string>>,
  command: (directory: string) => readonly string[],
  isReady: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-scanner-'));
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    for (const [name, content] of Object.entries(files(directory))) await writeFile(join(directory, name), content);
    const [program = '', ...args] = command(directory);
    child = spawn(program, args, { stdio: 'ignore' });
    await until(() => isReady().catch(() => false), startDeadlineMs);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Speaks the protocol of Rspamd, and knows GTUBE. */
export async function startFakeRspamd(): Promise<RunningScanner> {
  const server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('error', () => undefined);
    request.on('end', () => {
      const isSpam = body.includes('GTUBE');
      const symbols = { [isSpam ? 'GTUBE' : 'MIME_GOOD']: { score: isSpam ? 15 : -0.1 } };
      const action = isSpam ? 'reject' : 'no action';
      response.end(JSON.stringify({ score: isSpam ? 15 : -0.1, required_score: 15, action, symbols }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const stop = async (): Promise<void> => void server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** Speaks the protocol of clamd (INSTREAM), and finds the signature as it is and in base64. */
export async function startFakeClamd(signature: string): Promise<RunningScanner> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (!received.subarray(-4).equals(Buffer.alloc(4))) return;
      const encoded = Buffer.from(signature).toString('base64').slice(0, 32);
      socket.end(received.includes(encoded) ? 'stream: Test.Virus FOUND\0' : 'stream: OK\0');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: async () => void server.close() };
}
