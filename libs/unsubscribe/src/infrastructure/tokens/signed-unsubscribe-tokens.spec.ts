import { describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { SignedUnsubscribeTokens } from './signed-unsubscribe-tokens.js';

const tokens = new SignedUnsubscribeTokens(new SecretBox('ab'.repeat(32)));
const link = { teamId: newId(), topicId: newId(), address: 'Ada.Lovelace+news@sink.test' };

describe('a link to unsubscribe', () => {
  it.each([
    ['from a topic', link],
    ['from all mail', { ...link, topicId: null }],
    ['of an email, from a topic', { ...link, emailId: newId() }],
    ['of an email, from all mail', { ...link, topicId: null, emailId: newId() }],
    ['of an address in another script', { ...link, address: 'jürgen@bücher.test' }],
    ['of the longest address', { ...link, address: `${'a'.repeat(64)}@${'b'.repeat(185)}.test` }],
  ])('%s leads back to what it was made for', (_, given) => {
    const token = tokens.of(given);
    expect(token).toMatch(/^[\w-]+$/);
    expect(tokens.read(token)).toEqual(given);
  });

  it('is short for an ordinary address', () => {
    expect(tokens.of(link).length).toBeLessThan(100);
  });

  it('is not valid when anything of it is changed, missing or added', () => {
    const token = tokens.of(link);
    for (let at = 0; at < token.length; at++) {
      const changed = token[at] === 'A' ? 'B' : 'A';
      expect(tokens.read(token.slice(0, at) + changed + token.slice(at + 1))).toBeUndefined();
      expect(tokens.read(token.slice(0, at))).toBeUndefined();
    }
    for (const other of [`${token}A`, ` ${token}`, `${token}=`, `${token}.`, '', 'A'.repeat(10_000)]) {
      expect(tokens.read(other)).toBeUndefined();
    }
  });

  it('cannot be made with another secret', () => {
    const foreign = new SignedUnsubscribeTokens(new SecretBox('cd'.repeat(32)));
    expect(tokens.read(foreign.of(link))).toBeUndefined();
  });
});

describe('the address to unsubscribe', () => {
  it('names the team, in any case, in at most 64 characters', () => {
    const mailbox = tokens.mailboxOf(link.teamId);
    expect(mailbox).toMatch(/^unsubscribe\+[a-z2-7]{42}$/);
    expect(mailbox.length).toBeLessThanOrEqual(64);
    expect(tokens.teamOf(mailbox.toUpperCase())).toBe(link.teamId);
  });

  it('is not valid when it is changed', () => {
    const mailbox = tokens.mailboxOf(link.teamId);
    for (let at = 'unsubscribe+'.length; at < mailbox.length; at++) {
      const changed = mailbox[at] === 'a' ? 'b' : 'a';
      expect(tokens.teamOf(mailbox.slice(0, at) + changed + mailbox.slice(at + 1))).toBeUndefined();
    }
    for (const other of ['', 'unsubscribe', 'unsubscribe+', 'bounces+abc', 'postmaster'])
      expect(tokens.teamOf(other)).toBeUndefined();
  });
});
