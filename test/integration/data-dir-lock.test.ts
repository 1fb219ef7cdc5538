import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirInUseError, lockDataDir } from '#postgres/embedded';
import { runProgram } from '../support/programs/embedded-postgres-runner.js';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-lock-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function leaveLock(number: number, holder: { pid: number; started: string }): Promise<void> {
  await mkdir(join(dataDir, 'lock'), { recursive: true });
  await writeFile(join(dataDir, 'lock', `${number}`), JSON.stringify(holder));
}

test('a second start on a data directory in use is refused with the pid of the first', async () => {
  const lock = await lockDataDir(dataDir);
  const program = runProgram(dataDir);
  const report = await program.report;
  await program.stop();
  expect(report?.error).toContain(`already runs on the data directory ${dataDir} (pid ${process.pid})`);
  await lock.release();
});

test('a released lock can be acquired again, any number of times', async () => {
  for (let round = 0; round < 3; round++) {
    const lock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUseError);
    await lock.release();
  }
});

test('the lock of a killed program is taken over', async () => {
  const program = runProgram(dataDir);
  await program.report;
  await expect(lockDataDir(dataDir)).rejects.toMatchObject({ pid: program.pid });
  await program.kill();
  await (await lockDataDir(dataDir)).release();
  const cleaner = runProgram(dataDir);
  expect((await cleaner.report)?.error).toBeUndefined();
  await cleaner.stop();
});

test('a lock whose pid now belongs to another process is taken over', async () => {
  await leaveLock(1, { pid: process.pid, started: 'when an earlier process had this pid' });
  const lock = await lockDataDir(dataDir);
  await lock.release();
});

test('of many programs that find an abandoned lock exactly one acquires it', async () => {
  await leaveLock(7, { pid: 2 ** 22 + 1, started: 'before' });
  const starters = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dataDir)));
  const winners = starters.filter((starter) => starter.status === 'fulfilled');
  const losers = starters.filter((starter) => starter.status === 'rejected');
  expect(winners).toHaveLength(1);
  expect(losers.every((loser) => loser.reason instanceof DataDirInUseError)).toBe(true);
});
