import { jest } from '@jest/globals';

/** On a busy machine a limit of one second may be missed by chance. With `HOSTILE_RETRIES` a failed attack is repeated. */
jest.retryTimes(Number(process.env.HOSTILE_RETRIES ?? 0), { logErrorsBeforeRetry: true });
