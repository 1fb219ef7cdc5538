import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { maxLinkLength } from '../../domain/tracking-plan.js';
import { SignedTrackingTokens } from './signed-tracking-tokens.js';

const secret = 'ab'.repeat(32);
const tokens = new SignedTrackingTokens(new SecretBox(secret));
const recipient = { emailId: newId(), recipientNo: 300 };
const host = 'links.acme.test';

it.each(['https://x.test/?a=ü#b', 'http://x.test', 'https://www.x.test/', 'HTTPS://X.test/', 'https://x.test/%C3'])(
  'a token leads to %s and its recipient',
  (url) => {
    const token = tokens.link({ ...recipient, url }, host);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(tokens.readLink(token, host)).toEqual({ ...recipient, url });
  },
);

it('a pixel has 38 characters, the longest link fits into a path', () => {
  const pixel = tokens.pixel(recipient, host);
  expect(pixel).toHaveLength(38);
  expect(tokens.readPixel(pixel, host)).toEqual(recipient);
  const url = `ftp://${'x'.repeat(maxLinkLength - 6)}`.replace('ftp', 'http').slice(0, maxLinkLength);
  expect(tokens.link({ ...recipient, url }, host).length).toBeLessThan(2_800);
});

it('nothing that was changed is read', () => {
  const token = tokens.link({ ...recipient, url: 'https://x.test/' }, host);
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect(tokens.readLink(token.slice(0, at) + other + token.slice(at + 1), host)).toBeUndefined();
  }
  for (const wrong of ['', 'x', `${token}=`, `${token}A`, ` ${token}`, token.slice(1)]) {
    expect(tokens.readLink(wrong, host)).toBeUndefined();
  }
});

it('a token counts at its own host and for its own purpose only', () => {
  const link = tokens.link({ ...recipient, url: 'https://x.test/' }, host);
  expect(tokens.readLink(link, 'links.other.test')).toBeUndefined();
  expect(tokens.readPixel(link, host)).toBeUndefined();
  expect(tokens.readLink(tokens.pixel(recipient, host), host)).toBeUndefined();
});

it('even what we signed leads nowhere but to the web', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//x.test', '/x', 'https://', '']) {
    expect(tokens.readLink(tokens.link({ ...recipient, url }, host), host)).toBeUndefined();
  }
});

it('links of an earlier secret work for as long as it is known', () => {
  const token = tokens.link({ ...recipient, url: 'https://x.test/' }, host);
  const later = 'cd'.repeat(32);
  expect(new SignedTrackingTokens(new SecretBox(later, [secret])).readLink(token, host)?.url).toBe('https://x.test/');
  expect(new SignedTrackingTokens(new SecretBox(later)).readLink(token, host)).toBeUndefined();
});
