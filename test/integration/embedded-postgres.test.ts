import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { EmbeddedPostgres, EmbeddedPostgresOptions, PostmasterExit, startEmbeddedPostgres } from '#postgres/embedded';
import { Program, ProgramOptions, runProgram } from '../support/programs/embedded-postgres-runner.js';
import { until } from '../support/runner/until.js';

/** A data directory after its first start. Tests get copies of it: initdb takes a second of CPU each time. */
let stopped: string;
let root: string;
let dataDir: string;
const servers: EmbeddedPostgres[] = [];
const programs: Program[] = [];

beforeAll(async () => {
  stopped = await mkdtemp(join(tmpdir(), 'postrider-embedded-stopped-'));
  await (await startEmbeddedPostgres({ dataDir: stopped, onLog: () => {} })).stop();
});

afterAll(() => rm(stopped, { recursive: true, force: true }));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'postrider-embedded-'));
  await copyStoppedTo(join(root, 'data'));
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  await rm(root, { recursive: true, force: true });
});

/** Files keep their owners, because root starts PostgreSQL as another user. */
async function copyStoppedTo(directory: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', stopped, directory]);
  dataDir = directory;
}

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, onLog: () => {}, ...options });
  servers.push(server);
  return server;
}

function run(options: ProgramOptions = {}): Program {
  const program = runProgram(dataDir, options);
  programs.push(program);
  return program;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  // The server may die while the client closes.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

test('a stopped server starts again with its data', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'SELECT one FROM kept')).toEqual([1]);
});

test('the database is durable, in UTF-8, and ordered by code point', async () => {
  const { url } = await start();
  const shown = `SELECT current_setting(name) FROM unnest(ARRAY['fsync', 'synchronous_commit', 'full_page_writes',
    'data_checksums', 'server_encoding', 'password_encryption']) WITH ORDINALITY AS t (name, n) ORDER BY n`;
  expect(await query(url, shown)).toEqual(['on', 'on', 'on', 'on', 'UTF8', 'scram-sha-256']);
  expect(await query(url, `SELECT upper('ä'), 'Z' < 'a'`)).toEqual(['Ä', true]);
});

test('nobody but the owner can read the password or reach the socket', async () => {
  const { url } = await start();
  const modes = await Promise.all(
    ['postgres-password', 'postgres-socket', 'postgres'].map(
      async (name) => (await stat(join(dataDir, name))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o600, 0o700, 0o700]);
  await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('a program killed with its whole process group leaves a server that the next start replaces', async () => {
  const program = run();
  const report = await program.report;
  await query(report!.url!, 'CREATE TABLE kept AS SELECT 1 AS one');
  const orphan = await postmasterPid();
  await program.kill();
  expect(await query(report!.url!, 'SELECT 1')).toEqual([1]);

  const { url } = await start();
  expect(await postmasterPid()).not.toBe(orphan);
  expect(await query(url, 'SELECT one FROM kept')).toEqual([1]);
});

test('a server that dies is reported, and one can be started again at once', async () => {
  const { promise, resolve } = deferred<PostmasterExit>();
  await start({ onExit: resolve });
  process.kill(await postmasterPid(), 'SIGKILL');
  expect((await promise).signal).toBe('SIGKILL');
  await servers.splice(0)[0]!.stop();
  const { url } = await start();
  expect(await query(url, 'SELECT 1')).toEqual([1]);
});

test('a server that dies is started again at the same address, every time', async () => {
  const deaths: PostmasterExit[] = [];
  const troubles: unknown[] = [];
  const { url } = await start({
    onExit: (exit) => deaths.push(exit),
    onRestartTrouble: (error) => troubles.push(error),
  });
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS one');
  for (let death = 1; death <= 2; death++) {
    process.kill(await postmasterPid(), 'SIGKILL');
    // A server that dies during its start is reported as a failed restart.
    await until(() => deaths.length + troubles.length >= death);
    expect(await until(() => query(url, 'SELECT one FROM kept').catch(() => undefined))).toEqual([1]);
  }
});

test('a server that is being started again can be stopped', async () => {
  const deaths: PostmasterExit[] = [];
  const server = await start({ onExit: (exit) => deaths.push(exit), onRestartTrouble: () => undefined });
  process.kill(await postmasterPid(), 'SIGKILL');
  await until(() => deaths.length === 1);
  await server.stop();
  await expect(query(server.url, 'SELECT 1')).rejects.toThrow();
  expect(deaths).toHaveLength(1);
});

test('a stop is not reported as a death', async () => {
  let deaths = 0;
  const server = await start({ onExit: () => deaths++ });
  await server.stop();
  expect(deaths).toBe(0);
});

test('a left-over pid file whose pid now belongs to another process is ignored, and that process survives', async () => {
  await (await start()).stop();
  const cluster = join(dataDir, 'postgres');
  const { uid, gid } = await stat(cluster);
  const bystander = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' });
  await writeFile(join(cluster, 'postmaster.pid'), `${bystander.pid}\n${cluster}\n1\n5432\n\n\n1 1\nready\n`);
  try {
    const { url } = await start();
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
  } finally {
    bystander.kill();
  }
});

test('an interrupted initdb is repeated', async () => {
  dataDir = join(root, 'empty');
  const program = run();
  const halfMade = await until(async () => {
    const names = await readdir(dataDir).catch(() => []);
    const staging = names.find((name) => name.startsWith('postgres.incomplete-'));
    return (
      staging !== undefined &&
      (await stat(join(dataDir, staging, 'cluster', 'base')).then(
        () => staging,
        () => false,
      ))
    );
  });
  await program.kill();
  const { url } = await start();
  expect(await query(url, 'SELECT 1')).toEqual([1]);
  expect(await readdir(dataDir)).not.toContain(halfMade);
});

test('a data directory with a long path has its socket in a private temporary directory', async () => {
  await copyStoppedTo(join(root, 'long'.repeat(25)));
  const server = await start();
  const socketDir = new URL(server.url).searchParams.get('host')!;
  expect(socketDir.startsWith(join(tmpdir(), 'postrider-'))).toBe(true);
  expect(await query(server.url, 'SELECT 1')).toEqual([1]);
  await server.stop();
  await expect(stat(socketDir)).rejects.toThrow('ENOENT');
});

test('without any short path it listens on 127.0.0.1', async () => {
  await copyStoppedTo(join(root, 'long'.repeat(25)));
  const report = await run({ env: { TMPDIR: dataDir } }).report;
  expect(new URL(report!.url!).hostname).toBe('127.0.0.1');
  expect(await query(report!.url!, 'SELECT 1')).toEqual([1]);
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
