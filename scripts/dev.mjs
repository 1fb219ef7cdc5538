import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOnChange } from './build-on-change.mjs';

/**
 * `npm run dev`: runs the program, and builds and restarts it when a source file changes. The inspector listens, so that a
 * debugger can be attached at any time. `nest-cli.json` names the program.
 */
const { projects } = JSON.parse(await readFile('nest-cli.json', 'utf8'));
const { sourceRoot, entryFile } = projects.server;
const main = join('dist', sourceRoot, `${entryFile}.js`);

let program;
let restarting = Promise.resolve();

function start() {
  program = spawn(process.execPath, ['--enable-source-maps', '--inspect', main], { stdio: 'inherit' });
  program.once('exit', (code, signal) => {
    if (code !== 0 && signal === null) console.error('The program ended. It starts again after the next change.');
  });
}

/** Waits until the program has closed its PostgreSQL, before the next program opens it. */
async function restart() {
  if (program.exitCode === null && program.signalCode === null) {
    program.kill('SIGTERM');
    await once(program, 'exit');
  }
  start();
}

async function stop() {
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  process.exit(0);
}

buildOnChange([sourceRoot, 'libs'], () => (restarting = restarting.then(restart)));
start();
// Ctrl-C reaches the program as well; another SIGTERM does not.
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => {
  program.kill('SIGTERM');
  void stop();
});
