import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// `node --import ./test/support/run-typescript.mjs file.ts`, or imported before any TypeScript.
register('./typescript-loader.mjs', import.meta.url);

// A thread has loaders of its own: the program passes on what this process was told to import.
const flag = `--import=${import.meta.url}`;
if (isMainThread && !process.execArgv.includes(flag)) process.execArgv.push(flag);
