import { expect, it } from '@jest/globals';
import { isRedirectUri, matchesRedirectUri } from './redirect-uri.js';

it.each([
  ['https://app.test/callback', true],
  ['https://app.test/\0', false],
  ['https://app.test/\ud800', false],
  ['http://127.0.0.1:4321/oauth/callback', true],
  ['http://localhost/cb', true],
  ['cursor://anysphere/callback', true],
  ['http://app.test/callback', false],
  ['https://app.test/callback#x', false],
  ['https://user:pass@app.test/', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['file:///etc/passwd', false],
  ['/callback', false],
  ['', false],
  [7, false],
])('%s as the address of a client: %s', (uri, accepted) => {
  expect(isRedirectUri(uri)).toBe(accepted);
});

it('an address must be registered as it is, except for the port on this machine', () => {
  const registered = ['https://app.test/callback', 'http://127.0.0.1/oauth/callback'];
  const matches = (given: string): boolean => matchesRedirectUri(registered, given);
  expect(matches('https://app.test/callback')).toBe(true);
  expect(matches('http://127.0.0.1:5555/oauth/callback')).toBe(true);
  const others = ['https://app.test/callback/', 'https://app.test/callback?x=1', 'https://app.test.evil.test/callback'];
  others.push(
    'http://127.0.0.1:5555/other',
    'http://localhost:5555/oauth/callback',
    'https://evil.test/',
    'http://127.0.0.1:1@evil.test/oauth/callback',
  );
  expect(others.filter(matches)).toEqual([]);
});
