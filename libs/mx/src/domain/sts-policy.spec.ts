import { expect, test } from '@jest/globals';
import { announcedPolicyId, namesHost, readStsPolicy } from './sts-policy.js';

const file = (...lines: string[]) => lines.join('\r\n');

test.each<[string, string[], string | undefined]>([
  ['the id', ['v=STSv1; id=20260101T000000;'], '20260101T000000'],
  ['the id after other fields', ['other', 'v=STSv1;x=y; id=7'], '7'],
  ['nothing without a record', [], undefined],
  ['nothing for another version', ['v=STSv2; id=7'], undefined],
  ['nothing for a version with a longer name', ['v=STSv10; id=7'], undefined],
  ['nothing without an id', ['v=STSv1;'], undefined],
  ['nothing for an id with other characters', ['v=STSv1; id=a-b;'], undefined],
  ['nothing for two records', ['v=STSv1; id=1', 'v=STSv1; id=2'], undefined],
])('the TXT records announce %s', (_, records, id) => {
  expect(announcedPolicyId(records)).toBe(id);
});

test('a policy is read with any line ends, spaces and unknown fields', () => {
  const text =
    'version: STSv1\nmode : enforce\r\nmx: Mail.Example.com \nmx:*.example.net\nmax_age: 604800\nfuture: x\n';

  expect(readStsPolicy(text)).toEqual({ mode: 'enforce', mx: ['mail.example.com', '*.example.net'], maxAge: 604_800 });
});

test.each<[string, string]>([
  ['another version', file('version: STSv2', 'mode: testing', 'mx: a.test', 'max_age: 1')],
  ['no version', file('mode: testing', 'mx: a.test', 'max_age: 1')],
  ['an unknown mode', file('version: STSv1', 'mode: always', 'mx: a.test', 'max_age: 1')],
  ['no hosts', file('version: STSv1', 'mode: enforce', 'max_age: 1')],
  ['no age', file('version: STSv1', 'mode: enforce', 'mx: a.test')],
  ['an age that is no number', file('version: STSv1', 'mode: enforce', 'mx: a.test', 'max_age: -1')],
  ['a page of HTML', '<html>version: STSv1</html>'],
])('%s is not a policy', (_, text) => {
  expect(readStsPolicy(text)).toBeUndefined();
});

test('a policy with mode none needs no hosts, and no policy is valid for more than a year', () => {
  expect(readStsPolicy(file('version: STSv1', 'mode: none', 'max_age: 9999999999'))).toEqual({
    mode: 'none',
    mx: [],
    maxAge: 31_557_600,
  });
});

test.each<[string, boolean]>([
  ['mx.example.com', true],
  ['MX.EXAMPLE.COM', true],
  ['a.example.net', true],
  ['a.b.example.net', false],
  ['example.net', false],
  ['evil-example.net', false],
  ['other.test', false],
])('whether a policy names the host %s', (host, isNamed) => {
  expect(namesHost({ mode: 'enforce', mx: ['mx.example.com', '*.example.net'], maxAge: 1 }, host)).toBe(isNamed);
});
