import { beforeEach, expect, it } from '@jest/globals';
import { anIdempotentRequest, InMemorySending } from '../../../../../test/support/in-memory-sending.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
});

const claim = (key: string, response: unknown, fingerprint?: string) => ({
  request: anIdempotentRequest(sending.teamId, key, fingerprint),
  response,
  claimedAt: sending.clock.now(),
});

it('a refused request gets the first response if it is a repetition, and otherwise its refusal', async () => {
  const refusal = await sending.compose({ to: 'nobody' }).catch((error: unknown) => error);
  const request = anIdempotentRequest(sending.teamId);
  const instead = (given = request) => sending.claimKeys.responseInsteadOf(refusal, given, sending.clock.now());
  await expect(instead()).rejects.toBe(refusal);
  await sending.unitOfWork.run((transaction) =>
    sending.claimKeys.claim([{ claim: claim('key', 'first') }], transaction),
  );
  expect(await instead()).toBe('first');
  await expect(instead(anIdempotentRequest(sending.teamId, 'key', 'different'))).rejects.toMatchObject({
    code: 'invalid_idempotent_request',
  });
  await expect(sending.claimKeys.responseInsteadOf(new Error('bug'), request, sending.clock.now())).rejects.toThrow(
    'bug',
  );
});
