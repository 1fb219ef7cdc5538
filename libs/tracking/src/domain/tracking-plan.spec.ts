import { expect, it } from '@jest/globals';
import { isTrackable, maxLinkLength, unsubscribeLinks } from './tracking-plan.js';

const unsubscribe = unsubscribeLinks('<mailto:u@acme.test>,\t<https://acme.test/u?t=1>, <http://acme.test/v>');

it.each([
  ['https://acme.test/', true],
  ['https://acme.test/u?t=2', true],
  ['https://acme.test/u?t=1', false],
  ['http://acme.test/v', false],
  ['https://links.acme.test/c/token', false],
  ['https://acme.test/?u={{unsubscribe}}', false],
  [`https://acme.test/${'x'.repeat(maxLinkLength)}`, false],
  [`https://acme.test/${'ü'.repeat(maxLinkLength / 2)}`, false],
])('%s may lead through the tracking host: %p', (url, expected) => {
  expect(isTrackable(url, 'links.acme.test', unsubscribe)).toBe(expected);
});
