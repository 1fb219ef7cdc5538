import { readdir, readFile } from 'node:fs/promises';
import { lockedPackages } from './locked-packages.mjs';

/**
 * Names and licences of the packages whose code is linked into the program and its dashboard, as their licences ask for it. A
 * package without a file of its own is named with the licence that its manifest states.
 */
export async function notices(lock) {
  const { '': program, 'apps/dashboard': dashboard } = lock.packages;
  const names = Object.keys({ ...program.dependencies, ...dashboard.dependencies, ...dashboard.devDependencies });
  const paths = Object.keys(
    lockedPackages(
      lock,
      names.filter((name) => !/^@types\/|^vite$|^openapi-typescript$|^@vitejs\//.test(name)),
      [],
    ),
  );
  const texts = [];
  for (const path of paths) {
    const { name, version, license } = JSON.parse(await readFile(`${path}/package.json`, 'utf8'));
    const file = (await readdir(path)).find((entry) => /^(?:licen[cs]e|copying)(?:\.\w+)?$/i.test(entry));
    const text = file === undefined ? `Licence: ${license}` : (await readFile(`${path}/${file}`, 'utf8')).trim();
    texts.push(`${name} ${version}\n\n${text}\n`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
