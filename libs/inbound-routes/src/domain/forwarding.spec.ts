import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecretBox } from '#platform/secrets';
import { SenderRewriting } from './forwarding.js';

const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)];
const srs = new SenderRewriting(new SecretBox(first));
const now = new Date('2026-11-22T12:00:00Z');
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const address = srs.rewritten('Ann@other.test', 'send.acme.test', now) ?? '';

describe('a rewritten sender', () => {
  it('has the usual form and leads back to the sender, in any case', () => {
    expect(address).toMatch(/^SRS0=[a-z2-7]{16}=[a-z2-7]{2}=other\.test=Ann@send\.acme\.test$/);
    expect(srs.original(address, now)).toBe('Ann@other.test');
    expect(srs.original(address.toUpperCase(), now)?.toLowerCase()).toBe('ann@other.test');
    expect([srs.isRewritten(address), srs.isRewritten('ann@other.test')]).toEqual([true, false]);
  });

  it('is valid for weeks, over a change of the key and no longer', () => {
    expect(srs.original(address, later(21))).toBeDefined();
    expect(srs.original(address, later(22))).toBeUndefined();
    expect(srs.original(address, later(-1))).toBeDefined();
    expect(srs.original(address, later(-2))).toBeUndefined();
    const rotated = new SenderRewriting(new SecretBox(second, [first]));
    expect(rotated.original(address, now)).toBe('Ann@other.test');
    expect(new SenderRewriting(new SecretBox(second)).original(address, now)).toBeUndefined();
  });

  it('cannot be altered or moved to another host', () => {
    expect(srs.original(address.replace('Ann', 'Eve'), now)).toBeUndefined();
    expect(srs.original(address.replace('other.test', 'bank.test'), now)).toBeUndefined();
    expect(srs.original(address.replace('acme', 'evil'), now)).toBeUndefined();
    expect(srs.original(`SRS0=${'a'.repeat(16)}=aa=other.test=ann@send.acme.test`, now)).toBeUndefined();
  });

  it('is none where the sender is too long or odd for one', () => {
    expect(srs.rewritten(`${'a'.repeat(30)}@other.test`, 'send.acme.test', now)).toBeUndefined();
    expect(srs.rewritten('"a b"@other.test', 'send.acme.test', now)).toBeUndefined();
    expect(srs.rewritten('', 'send.acme.test', now)).toBeUndefined();
  });

  it('leads back from every day and every short sender', () => {
    const local = fc.stringMatching(/^[a-z0-9=+.-]{1,12}$/).filter((text) => !/^\.|\.\.|\.$/.test(text));
    fc.assert(
      fc.property(local, fc.integer({ min: 0, max: 40_000 }), (text, day) => {
        const at = new Date(day * 86_400_000);
        const made = srs.rewritten(`${text}@o.test`, 'h.test', at);
        expect(made === undefined ? undefined : srs.original(made, at)).toBe(`${text}@o.test`);
      }),
      { numRuns: 500 },
    );
  });

  it('is not found in any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(srs.original(`SRS0=${text}@h.test`, now)).toBeUndefined()));
  });
});
