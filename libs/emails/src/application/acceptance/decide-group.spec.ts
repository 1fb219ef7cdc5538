import { beforeEach, expect, it } from '@jest/globals';
import { anIdempotentRequest, InMemorySending } from '../../../../../test/support/in-memory-sending.js';
import { DecideGroup } from './decide-group.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
});

const claim = (key: string, response: unknown, fingerprint?: string) => ({
  request: anIdempotentRequest(sending.teamId, key, fingerprint),
  response,
  claimedAt: sending.clock.now(),
});

it('a fault in a group affects only its own request', async () => {
  const decideGroup = new DecideGroup(sending.screening, sending.claimKeys);
  const decide = async (...keys: (string | undefined)[]) => {
    const requests = await Promise.all(
      keys.map(async (key, index) => ({
        emails: [await sending.compose({ subject: `${index}` })],
        claim: key === undefined ? undefined : claim(key, { key }, key === 'other' ? 'different' : 'same'),
        isLikelyRefused: false,
      })),
    );
    return sending.unitOfWork.run((transaction) => decideGroup.execute(requests, transaction));
  };
  await decide('known', 'other');
  sending.clock.advance(1_000);

  const { results, emails } = await decide('known', undefined, 'new', 'new');
  expect(results).toEqual([
    { value: { kind: 'repeated', response: { key: 'known' } } },
    { value: { kind: 'accepted' } },
    { value: { kind: 'accepted' } },
    { error: expect.objectContaining({ code: 'concurrent_idempotent_requests' }) },
  ]);
  expect(emails.map(({ email }) => email.subject)).toEqual(['1', '2']);
});
