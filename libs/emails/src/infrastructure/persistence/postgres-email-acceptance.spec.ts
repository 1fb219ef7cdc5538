import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { NoConnectionError } from '../../../../platform/src/database/connection-share.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { PostgresEmailAcceptance } from './postgres-email-acceptance.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const isPoisoned = ({ email }: AcceptedEmail): boolean => email.id.startsWith('poisoned');

/** Of the statements of a transaction only one matters here: it fails for poisoned emails, or takes its time. */
function acceptanceTaking(writeMs: () => number): PostgresEmailAcceptance {
  const writer = {
    refuseBeyondQuota: () => undefined,
    isBeyondQuota: () => false,
    writeAhead: () => undefined,
    announce: () => undefined,
    write: async (emails: readonly AcceptedEmail[]): Promise<void> => {
      if (emails.some(isPoisoned)) throw Object.assign(new Error('division by zero'), { code: '22012' });
      await new Promise((resolve) => setTimeout(resolve, writeMs()));
    },
  };
  const counted = { inc: () => undefined, observe: () => undefined };
  const collaborators = [
    { run: (work: (transaction: unknown) => unknown) => work({}) },
    { settle: (requests: readonly unknown[]) => requests.map(() => ({ value: { kind: 'accepted' } })) },
    writer,
    { add: () => undefined },
    { screen: (emails: unknown) => emails },
    { accepted: () => undefined },
    counted,
    { counter: () => counted, histogram: () => counted },
  ] as unknown as ConstructorParameters<typeof PostgresEmailAcceptance>;
  return new PostgresEmailAcceptance(...collaborators);
}

const emailOf = (teamId: string, id: string): AcceptedEmail[] => [
  { email: { id, teamId, size: 10, scheduledAt: null, createdAt: new Date() }, recipients: [] } as never,
];

it('a team that made a shared transaction fail is not left waiting without end either', async () => {
  let writeMs = 0;
  const acceptance = acceptanceTaking(() => writeMs);
  const together = Promise.allSettled([
    acceptance.accept(emailOf('culprit', 'poisoned')),
    acceptance.accept(emailOf('other', 'fine')),
  ]);
  await jest.advanceTimersByTimeAsync(100);
  expect((await together).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);

  writeMs = 15_000;
  const later = Promise.allSettled([
    acceptance.accept(emailOf('culprit', 'first')),
    acceptance.accept(emailOf('culprit', 'second')),
  ]);
  await jest.advanceTimersByTimeAsync(40_000);

  const [first, second] = await later;
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: expect.any(NoConnectionError) });
});
