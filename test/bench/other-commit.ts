import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
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
 * Unpacks and builds a commit. Its packages are the installed ones if both lock files are equal, otherwise they are
 * installed from npm. Takes up to two minutes.
 *
 * @throws SkippedCase if there is no git, or if it does not know the commit.
 */
export async function buildCommit(revision: string): Promise<OtherCommit> {
  const name = git('rev-parse', '--short', '--verify', `${revision}^{commit}`);
  const parent = await mkdtemp(join(tmpdir(), 'postrider-commit-'));
  const directory = join(parent, name);
  const run = (command: string, ...args: string[]): unknown =>
    execFileSync(command, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  const remove = (): Promise<void> => rm(parent, { recursive: true, force: true });
  try {
    await mkdir(directory);
    run('tar', '--extract', '--file', archiveOf(name, parent));
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

/**
 * Commit of the last release: the one that wrote the heading of the newest version into the changelog.
 *
 * @throws SkippedCase if there was none.
 */
export function lastRelease(): string {
  const commit = git('log', '-1', '--format=%H', '-G^## [0-9]', '--', 'CHANGELOG.md');
  if (commit === '') throw new SkippedCase('CHANGELOG.md has no release');
  return commit;
}

function archiveOf(name: string, directory: string): string {
  const file = join(directory, 'files.tar');
  git('archive', '--format=tar', `--output=${file}`, name);
  return file;
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new SkippedCase(`git ${args[0]}: ${stderr.trim() || message}`);
  }
}
