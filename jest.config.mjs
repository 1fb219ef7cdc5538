const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch,
  runtime: '<rootDir>/test/support/jest/native-runtime.cjs',
  testEnvironment: '<rootDir>/test/support/jest/native-environment.cjs',
  // Node loads and compiles all of it, see the runtime.
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/data'],
  ...extra,
});

// Tiers: unit beside the code (no I/O); contracts, integration and e2e on real PostgreSQL and real sockets.
const withPostgres = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  // One more than the processors that CI has: much of a run is waiting for processes and for time.
  maxWorkers: 3,
  // Modules stay loaded, and what those of a file hold with them.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/jest/heavy-first-sequencer.cjs',
  // For a machine that is slow and shared: nothing waits for it where all is well.
  testTimeout: 120_000,
  projects: [
    project('unit', ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/server/**/*.spec.ts']),
    project('contract', ['<rootDir>/test/contracts/**/*.test.ts'], withPostgres),
    project('integration', ['<rootDir>/test/integration/**/*.test.ts'], withPostgres),
    // One file at a time, and after the others: each of them wants the machine for itself. `npm run test:hostile`.
    project('hostile', ['<rootDir>/test/e2e/hostile/**/*.test.ts'], {
      ...withPostgres,
      setupFiles: ['<rootDir>/test/support/checked-fetch.ts', '<rootDir>/test/support/retried-attacks.ts'],
    }),
    project('e2e', ['<rootDir>/test/e2e/*.test.ts'], {
      ...withPostgres,
      // Every answer is held against the program's own description of its API.
      setupFiles: ['<rootDir>/test/support/checked-fetch.ts'],
    }),
  ],
};
