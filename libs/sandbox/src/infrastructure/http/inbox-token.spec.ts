import { describe, expect, it } from '@jest/globals';
import { SecretBox } from '#platform/secrets';
import { InboxToken } from './inbox-token.js';

const secrets = new SecretBox('11'.repeat(32));
const token = new InboxToken(secrets);

describe('InboxToken', () => {
  it('accepts the token of its link, after a restart too', () => {
    const given = new URL(token.link('http://localhost:3000')).searchParams.get('token');
    expect(new InboxToken(new SecretBox('11'.repeat(32))).accepts(given)).toBe(true);
  });

  it.each([undefined, null, '', 'wrong', ['a', 'b'], 1])('does not accept %p', (given) => {
    expect(token.accepts(given)).toBe(false);
  });

  it('does not accept what was signed for another purpose or with another key', () => {
    expect(token.accepts(secrets.sign('click', 'everything'))).toBe(false);
    expect(token.accepts(new InboxToken(new SecretBox('22'.repeat(32))).token())).toBe(false);
  });
});
