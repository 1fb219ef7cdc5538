import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SkippedCase } from './bench-case.js';

/** A built checkout of another commit, in a directory of its own. */
export interface OtherCommit {
  readonly directory: string;
  readonly name: string;
  remove(): Promise<void>;
}

/**
 * Checks out and builds a commit. Its packages are the installed ones if both lock files are equal, otherwise they are
 * installed from npm. Takes up to two minutes.
 *
 * @throws SkippedCase if git does not know the commit.
 */
export async function buildCommit(revision: string): Promise<OtherCommit> {
  const name = shortNameOf(revision);
  const parent = await mkdtemp(join(tmpdir(), 'postrider-commit-'));
  const directory = join(parent, name);
  const run = (command: string, ...args: string[]): unknown =>
    execFileSync(command, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('git', ['worktree', 'add', '--detach', directory, name], { stdio: 'ignore' });
  const remove = async (): Promise<void> => {
    execFileSync('git', ['worktree', 'remove', '--force', directory]);
    await rm(parent, { recursive: true, force: true });
  };
  try {
    const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
    if (lockOf(directory) === lockOf('.')) symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
    else run('npm', 'ci', '--no-audit', '--no-fund');
    run('npm', 'run', '--silent', 'build');
    return { directory, name, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function shortNameOf(revision: string): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', '--verify', `${revision}^{commit}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    throw new SkippedCase(`git does not know the commit ${revision}`);
  }
}
