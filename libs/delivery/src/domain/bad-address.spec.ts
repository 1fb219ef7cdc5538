import { describe, expect, it } from '@jest/globals';
import { isBadAddress } from './bad-address.js';

describe('a bounce', () => {
  it.each(['5.1.1', '5.1.2', '5.1.3', '5.1.10'])('with %s is about the address', (enhancedCode) => {
    expect(isBadAddress({ replyCode: 550, enhancedCode, replyText: '', durationMs: 0 })).toBe(true);
  });

  it.each(['5.0.0', '5.2.2', '5.3.4', '5.7.1', '5.7.26', '5.4.4'])('with %s is not', (enhancedCode) => {
    expect(isBadAddress({ replyCode: 550, enhancedCode, replyText: 'user unknown', durationMs: 0 })).toBe(false);
  });

  it.each(['<a@b.test>: Recipient unknown', 'No such user here', "sorry, user doesn't exist"])(
    'without an enhanced code that says "%s" is about the address',
    (replyText) => expect(isBadAddress({ replyCode: 550, replyText, durationMs: 0 })).toBe(true),
  );

  it.each([
    [550, 'Message rejected as spam'],
    [552, 'No such user'],
    [554, 'Unknown user reputation'],
  ])('of %d "%s" is not', (replyCode, replyText) => {
    expect(isBadAddress({ replyCode, replyText, durationMs: 0 })).toBe(false);
  });

  it('before any reply is not', () => {
    expect(isBadAddress({ durationMs: 3 })).toBe(false);
  });
});
