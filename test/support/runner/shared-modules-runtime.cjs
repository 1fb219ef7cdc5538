'use strict';

/**
 * Jest's runtime, changed in one point: the program's modules and packages are loaded once by each Jest worker, by Node itself,
 * instead of once for each test file. Test files and their support keep a context of their own. It halves the CPU of tests that
 * start the program: docs/decisions/test-runner.md. `PLAIN_JEST=1` runs without it.
 */
const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const { SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const isShared = (path) => /\/(?:dist\/(?:libs|apps)|node_modules)\//.test(path) && !path.endsWith('.spec.js');
/** Globals of Jest, Node's own modules and `data:` addresses. */
const isFile = (specifier) => !/^(?:@jest\/globals$|node:|data:)/.test(specifier);

/** The same in a test file as in the program: what it throws and returns is an instance of them, or lies in `Reflect`. */
const globals = [
  'Date',
  'Reflect',
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
];

class SharedModulesRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const [, environment, , , , , testPath] = given;
    // Jest fakes the globals of the file's own context, so the program must be loaded there.
    if (readFileSync(testPath, 'utf8').includes('useFakeTimers')) return;
    for (const name of globals) environment.global[name] = globalThis[name];
    const { esmLoader } = this;
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    /** By path: the module as the test file sees it. */
    const seen = new Map();
    // Private to Jest, as the next line: the only places that know from which file a module is asked for.
    esmLoader.resolution.canResolveSync = () => false;
    esmLoader.resolveModule = async (specifier, from, context) => {
      const path = isFile(specifier) ? await esmLoader.resolution.resolveEsmAsync(from, specifier) : '';
      if (!isShared(path)) return resolveModule(specifier, from, context);
      if (!seen.has(path)) seen.set(path, sharedModule(path, context));
      return seen.get(path);
    };
  }
}

async function sharedModule(path, context) {
  const exported = await import(pathToFileURL(path));
  const setExports = function () {
    for (const [name, value] of Object.entries(exported)) this.setExport(name, value);
  };
  const module = new SyntheticModule(Object.keys(exported), setExports, { context, identifier: path });
  await module.link(() => undefined);
  await module.evaluate();
  return module;
}

// As a compiled module: Jest asks for the default export.
module.exports = { __esModule: true, default: SharedModulesRuntime };
