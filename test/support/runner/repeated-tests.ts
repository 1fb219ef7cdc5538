import { jest } from '@jest/globals';

/**
 * With `TEST_REPEATS` a failed test is repeated after the others of its file. A gate sets it, because its machine is
 * shared and a limit of time may be missed by chance. `.ci/count-tests.cjs` prints what passed only when it was repeated.
 */
jest.retryTimes(Number(process.env.TEST_REPEATS ?? 0), { logErrorsBeforeRetry: true });
