import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemorySending } from '../../../../../test/support/in-memory-sending.js';
import { countedMessages, QuotaCheck } from './quota-check.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
});

describe('checking the quota', () => {
  it('counts each recipient, and throws the error of the quota', async () => {
    const email = await sending.compose({ to: ['a@sink.test', 'b@sink.test'] });
    const check = new QuotaCheck(sending.quotas);
    expect(countedMessages([email])).toEqual([{ teamId: sending.teamId, messages: 2 }]);
    expect(() => check.refuse([email])).not.toThrow();
    sending.quotaError = new Error('used up');
    expect(check.isBeyond([email])).toBe(true);
    expect(() => check.refuse([email])).toThrow('used up');
  });
});
