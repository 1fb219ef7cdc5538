import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Builds the program, without its tests, unless the last build had the same sources: the same paths, sizes and times of
 * change. A check takes some 50 ms, a build some seconds.
 */
const sources = ['libs', 'apps', 'scripts'];
const files = ['package.json', 'package-lock.json', '.swcrc'];
const stampFile = 'dist/program-stamp';

const stamp = stampOfSources();
if (stampOfLastBuild() !== stamp) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build:program'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stampFile, stamp);
}

function stampOfSources() {
  const hash = createHash('sha256').update(process.version);
  for (const name of [...files, ...sources.flatMap(filesIn)]) {
    const { size, mtimeMs } = statSync(name);
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return entry.isFile() && !/\.(spec|gen)\.ts$/.test(entry.name) ? [path] : [];
  });
}

function stampOfLastBuild() {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}
