import { jest } from '@jest/globals';

/** A second is little on a machine that others use as well: with `HOSTILE_RETRIES`, what misses it has to hold the next time. */
jest.retryTimes(Number(process.env.HOSTILE_RETRIES ?? 0), { logErrorsBeforeRetry: true });
