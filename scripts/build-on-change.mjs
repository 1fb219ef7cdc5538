import { watch } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { transformFile } from '@swc/core';

/** Changes within this time cause one rebuild, because an editor may save all files at once. */
const settleMs = 100;

/**
 * Builds everything once, then each TypeScript and SQL file of `folders` as soon as it changes. `onBuilt` is called
 * after each successful rebuild. A file that does not compile is reported, and the last good build stays.
 */
export function buildOnChange(folders, onBuilt) {
  // Not linked: a file that changes is built alone.
  for (const command of ['npm run --silent build:code', 'node scripts/build-dashboard.mjs']) {
    const { status } = spawnSync(command, { stdio: 'inherit', shell: true });
    if (status !== 0) process.exit(status ?? 1);
  }
  const changed = new Set();
  let timer;
  for (const folder of folders) {
    watch(folder, { recursive: true }, (_, name) => {
      if (name === null || !/\.(ts|sql)$/.test(name)) return;
      changed.add(join(folder, name));
      clearTimeout(timer);
      timer = setTimeout(() => void rebuild([...changed]).then((ok) => ok && onBuilt()), settleMs);
    });
  }

  async function rebuild(files) {
    changed.clear();
    const results = await Promise.all(files.map((file) => build(file).catch((error) => report(file, error))));
    return results.every((built) => built !== false);
  }
}

async function build(file) {
  if (file.endsWith('.sql')) return copyFile(file, join('dist', file)).catch(ignoreMissing);
  const result = await transformFile(file, { sourceFileName: file, sourceMaps: true }).catch(ignoreMissing);
  if (result === undefined) return;
  const { code, map } = result;
  const target = join('dist', file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.map`, sourceMapFor(map, file, target));
  await writeFile(target, `${code}\n//# sourceMappingURL=${target.split('/').pop()}.map\n`);
}

/** For a file that was deleted or renamed. Its old output in dist is not used any more. */
function ignoreMissing(error) {
  if (!/ENOENT|no such file/i.test(String(error))) throw error;
}

function sourceMapFor(map, file, target) {
  const up = dirname(target).split('/').fill('..').join('/');
  return JSON.stringify({ ...JSON.parse(map), sources: [`${up}/${file}`] });
}

function report(file, error) {
  const [message] = String(error.message ?? error).split('\nCaused by:');
  console.error(`${file}\n${message.trimEnd()}`);
  return false;
}
