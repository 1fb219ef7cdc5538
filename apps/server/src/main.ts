#!/usr/bin/env -S node --max-semi-space-size=64
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { readConfig } from '#platform/config';
import { beginStart } from './database/begin-start.js';
import { workerArgument } from './workers/worker-messages.js';

/**
 * Lets the heap grow by what is in use before it is collected, and not by three times that. Under load each delivery
 * leaves some KB behind that only a full collection finds: beside 70 MB in use, 300 MB of them came together while a
 * broadcast was sent. Half of what is in use would save 30 MB more, but costs batches 6% of their CPU. Set here and not
 * on the command line, since a version of Node that lacks it must start all the same.
 */
setFlagsFromString('--heap-growing-percent=100');
/**
 * V8 puts objects of a kind that often lived on into the old generation from their beginning. There, the short-lived ones keep
 * all that they refer to, until a full collection: 13 KB for each email of 4 KB, and 2 KB with this flag (`npm run bench -- at-rate`).
 */
setFlagsFromString('--no-allocation-site-pretenuring');

async function main([command = 'start', ...args]: readonly string[]): Promise<void> {
  if (command === workerArgument) {
    const { runWorkerProcess } = await import('./workers/run-worker-process.js');
    return runWorkerProcess();
  }
  if (command === 'start' && args.length === 0) return start();
  const { runCommand } = await import('./command-line/run-command.js');
  process.exitCode = await runCommand([command, ...args], process.env);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  keepCompiledCode(config.values.dataDir);
  const begun = beginStart(config);
  const { runProgram } = await import('./program.js');
  await runProgram(begun, process.env.npm_lifecycle_event === 'npx');
}

/**
 * Lets the next start load what V8 compiled for this one, with Node 22 and later. What other builds left is removed. The
 * first start on a data directory leaves it to be created with its own permissions.
 */
function keepCompiledCode(dataDir: string): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (directory: string) => unknown };
  if (enableCompileCache === undefined || !existsSync(dataDir)) return;
  const directory = join(dataDir, 'compiled');
  const build = String(Math.trunc(statSync(new URL(import.meta.url)).mtimeMs));
  try {
    mkdirSync(directory, { recursive: true });
    for (const name of readdirSync(directory)) if (name !== build) rmSync(join(directory, name), { recursive: true });
    enableCompileCache(join(directory, build));
  } catch {
    // The directory may be read-only, or a second process may clear it. The start only takes longer.
  }
}

// The reader of the output may have gone; the program must not end because of that.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

main(process.argv.slice(2)).catch(async (error: unknown) => {
  const { failStart } = await import('./fail-start.js');
  failStart(error);
});
