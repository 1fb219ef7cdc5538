import { register } from 'node:module';

// `node --import ./test/support/run-typescript.mjs file.ts`, or imported before any TypeScript.
register('./typescript-loader.mjs', import.meta.url);
