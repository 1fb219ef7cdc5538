import { existsSync, readdirSync } from 'node:fs';
import slowness from './test/support/runner/machine-slowness.cjs';

// Workers inherit it.
process.env.TEST_SLOWNESS ??= String(slowness.machineSlowness());

// Jest runs the built files, without a transform: docs/decisions/test-runner.md says why. `npm run build` comes first.
const built = existsSync('dist') ? readdirSync('dist', { recursive: true }) : [];
/** Built tests whose source is gone: a build does not delete them. */
const stale = built.filter((file) => /\.(spec|test)\.js$/.test(file) && !existsSync(file.replace(/\.js$/, '.ts')));

const repeatedTests = '<rootDir>/dist/test/support/runner/repeated-tests.js';

const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  roots: ['<rootDir>/dist'],
  testMatch,
  testPathIgnorePatterns: stale.map((file) => `<rootDir>/dist/${file.replaceAll('.', '\\.')}$`),
  transform: {},
  setupFiles: [repeatedTests],
  ...extra,
});

/** One loading of the program for each worker instead of for each file: docs/decisions/test-runner.md. */
const sharedModules =
  process.env.PLAIN_JEST === undefined ? { runtime: '<rootDir>/test/support/runner/shared-modules-runtime.cjs' } : {};

// Tiers: unit beside the code (no I/O); contracts, integration and e2e on real PostgreSQL and real sockets.
const withPostgres = {
  ...sharedModules,
  globalSetup: '<rootDir>/dist/test/support/runner/global-setup.js',
  globalTeardown: '<rootDir>/dist/test/support/runner/global-teardown.js',
};

/**
 * The end-to-end tests that another queue, a pooler, a worker in a process of its own or another Node could break: they
 * ask what passes from one process to another, what is counted in Redis, what holds a connection, what Node itself does,
 * and what is left when a process dies.
 */
const acrossProcesses = [
  ...['send-email', 'batch', 'idempotency', 'scheduling', 'limits', 'lifecycle', 'webhook-delivery', 'live'],
  ...['live-revocation', 'machine-room', 'lost-wake-ups', 'redis-loss', 'redis-cluster', 'three-workers'],
  ...['rolling-stop', 'postgres-away', 'database-limits', 'retention', 'mx', 'outbound-tls', 'smtp-clients'],
  ...['https-and-locked-out', 'tracking', 'broadcast-mail', 'contact-imports', 'automation-runs'],
  ...['automation-triggers', 'automation-calls', 'receiving', 'inbound-routes', 'images', 'sign-in'],
  ...['swapped-adapters', 'kill/kill'],
];

const e2e = {
  ...withPostgres,
  // Every response is checked against the program's own description of its API.
  setupFiles: [repeatedTests, '<rootDir>/dist/test/support/clients/checked-fetch.js'],
};

export default {
  // One more than the processors that CI has: much of a run is waiting for processes and for time.
  maxWorkers: 3,
  // Each file loads the program's modules again, and the memory of the last ones is not given back at once.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/runner/heavy-first-sequencer.cjs',
  // For a machine that is slow and shared: nothing waits for it where all is well.
  testTimeout: 120_000 * Number(process.env.TEST_SLOWNESS),
  projects: [
    project('unit', ['<rootDir>/dist/libs/**/*.spec.js', '<rootDir>/dist/apps/*/src/**/*.spec.js'], sharedModules),
    project('contract', ['<rootDir>/dist/test/contracts/**/*.test.js'], withPostgres),
    project('integration', ['<rootDir>/dist/test/integration/**/*.test.js'], withPostgres),
    // One file at a time, and after the others: each of them wants the machine for itself. `npm run test:hostile`.
    project('hostile', ['<rootDir>/dist/test/e2e/hostile/*.test.js'], e2e),
    // Attacks that mostly wait, two at a time.
    project('waiting', ['<rootDir>/dist/test/e2e/hostile/waiting/*.test.js'], e2e),
    // Processes are killed under load: `npm run test:kill`.
    project('kill', ['<rootDir>/dist/test/e2e/kill/**/*.test.js'], e2e),
    // Real pages in a real Chromium. Skipped, with the reason, where there is none.
    project('browser', ['<rootDir>/dist/test/browser/*.test.js'], withPostgres),
    project('e2e', ['<rootDir>/dist/test/e2e/*.test.js'], e2e),
    // `npm run test:scaled-out`.
    project(
      'scaled-out',
      acrossProcesses.map((name) => `<rootDir>/dist/test/e2e/${name}.test.js`),
      e2e,
    ),
  ],
};
