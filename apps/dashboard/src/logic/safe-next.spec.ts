import { expect, it } from '@jest/globals';
import { isConsent, safeNext } from './safe-next.js';

it.each([
  '/app/emails',
  '/app/emails/3f2a?tab=source',
  '/app/domains/acme.test',
  '/oauth/consent?client_id=a&state=b%20c',
])('leads on to a page of this service: %s', (next) => {
  expect(safeNext(next)).toBe(next);
});

it.each([
  undefined,
  '',
  'https://evil.test/app/emails',
  '//evil.test/app/emails',
  '/\\evil.test',
  '/app/../..//evil.test',
  '/app/..%2f..%2f\\evil.test',
  '/app/sign-in?next=/app/sign-in',
  '/oauth/consent/../../evil',
  '/oauth/consent#x',
  'javascript:alert(1)',
  '/app/emails\n//evil.test',
])('leads to the emails instead of %s', (next) => {
  expect(safeNext(next)).toBe('/app/emails');
});

it('knows the question of a tool, which the server shows', () => {
  expect(isConsent('/oauth/consent?client_id=a')).toBe(true);
  expect(isConsent('/app/emails')).toBe(false);
});
