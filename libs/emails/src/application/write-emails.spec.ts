import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { NoConnectionError } from '#kernel';
import { AcceptanceGroups, AcceptanceRequest } from './write-emails.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Transactions fail for poisoned emails, and otherwise take `writeMs`. */
function groupsTaking(writeMs: () => number): AcceptanceGroups {
  return new AcceptanceGroups(async (requests) => {
    if (requests.some(({ emails }) => emails[0]?.email.id === 'poisoned')) {
      throw Object.assign(new Error('division by zero'), { code: '22012' });
    }
    await new Promise((resolve) => setTimeout(resolve, writeMs()));
    return requests.map(() => ({ value: { kind: 'accepted' } }));
  });
}

const requestOf = (teamId: string, id: string): AcceptanceRequest => ({
  emails: [{ email: { id, teamId, size: 10 } } as never],
  claim: undefined,
  isLikelyRefused: false,
});

it('requests of a team that made a shared transaction fail also have a time limit', async () => {
  let writeMs = 0;
  const groups = groupsTaking(() => writeMs);
  const together = Promise.allSettled([
    groups.submit(requestOf('culprit', 'poisoned')),
    groups.submit(requestOf('other', 'fine')),
  ]);
  await jest.advanceTimersByTimeAsync(100);
  expect((await together).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);

  writeMs = 15_000;
  const later = Promise.allSettled([
    groups.submit(requestOf('culprit', 'first')),
    groups.submit(requestOf('culprit', 'second')),
  ]);
  await jest.advanceTimersByTimeAsync(40_000);

  const [first, second] = await later;
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: expect.any(NoConnectionError) });
});
