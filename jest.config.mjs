const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/data'],
  ...extra,
});

// Tiers: unit beside the code (no I/O); contracts, integration and e2e on real PostgreSQL and real sockets.
const withPostgres = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  projects: [
    project('unit', ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/server/**/*.spec.ts']),
    project('contract', ['<rootDir>/test/contracts/**/*.test.ts'], withPostgres),
    project('integration', ['<rootDir>/test/integration/**/*.test.ts'], withPostgres),
    project('e2e', ['<rootDir>/test/e2e/**/*.test.ts'], {
      ...withPostgres,
      // Every answer is held against the program's own description of its API.
      setupFiles: ['<rootDir>/test/support/checked-fetch.ts'],
    }),
  ],
};
