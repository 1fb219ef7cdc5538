const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');

const importFlag = `--import=${pathToFileURL(require.resolve('../run-typescript.mjs')).href}`;

/**
 * Loads what is tested by Node's own loader instead of Jest's, which makes every file load the program's 1,500 modules
 * anew: 4 of the 7 seconds that a small file took. With Node's they are loaded once for each worker of Jest.
 *
 * Files of one worker therefore share the modules of the program and of test/support, as programs of one process do.
 * One to which that matters begins with the comment `@own-modules`. There are no module mocks; adapters are what a test
 * replaces.
 */
module.exports = class NativeRuntime extends Runtime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await import('../run-typescript.mjs');
    // A thread has loaders of its own: the program passes on what its process was told to import. Said here and not for
    // every process that runs TypeScript, because Jest passes its own arguments on to its workers.
    if (!process.execArgv.includes(importFlag)) process.execArgv.push(importFlag);
    // Node maps stacks to TypeScript by what it loaded; Jest's way knows only what Jest has loaded.
    Error.prepareStackTrace = undefined;
    process.setSourceMapsEnabled(true);
    globalThis.jest = this.jestGlobals.jestObjectFor(path);
    const url = pathToFileURL(path).href;
    // Setup is for each file of tests anew.
    if (path !== this._testPath) return import(`${url}?for=${encodeURIComponent(this._testPath)}`);
    return import('own-modules' in this._environment.pragmas ? `${url}?own=${encodeURIComponent(path)}` : url);
  }

  /**
   * Jest's own modules, in the realm of the tests: `expect.any(Number)` compares constructors. What holds the tests of a
   * file and who listens to them is made afresh for each.
   */
  requireInternalModule(from, to) {
    const load = createRequire(from);
    if (to !== undefined) return load(to);
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete load.cache[from];
    return load(from);
  }
};
