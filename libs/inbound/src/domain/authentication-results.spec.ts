import { expect, it } from '@jest/globals';
import { authenticationResults, claimsToBeFrom } from './authentication-results.js';
import { Verdicts } from './verdicts.js';

const verdicts: Verdicts = {
  spf: { result: 'pass', domain: 'a.test' },
  dkim: [{ result: 'fail', domain: 'a.test', selector: 's\r\nX: 1', aligned: true, reason: 'bad "signature"' }],
  dmarc: { result: 'pass', domain: 'a.test', policy: 'reject', alignedBy: ['spf'] },
  arc: { result: 'none', sets: 0 },
  fcrdns: { result: 'pass', name: 'mx.a.test' },
  spam: null,
  virus: null,
};

const context = { hostName: 'mail.test', mailFrom: 'ada@a.test', helo: 'mx.a.test', clientAddress: '2001:db8::1' };

it('writes all verdicts in one folded field', () => {
  expect(authenticationResults(verdicts, context)).toBe(
    'Authentication-Results: mail.test;\r\n' +
      ' spf=pass smtp.mailfrom=ada@a.test;\r\n' +
      ' dkim=fail reason="bad \\"signature\\"" header.d=a.test header.s="s??X: 1";\r\n' +
      ' dmarc=pass (p=reject) header.from=a.test;\r\n' +
      ' arc=none;\r\n' +
      ' iprev=pass policy.iprev=2001:db8::1\r\n',
  );
});

it('names the HELO where there is no sender, and never has a line of the client', () => {
  const field = authenticationResults({ ...verdicts, dkim: [] }, { ...context, mailFrom: '', helo: 'a\r\nX-Evil: 1' });
  expect(field).toContain('spf=pass smtp.helo="a??X-Evil: 1";\r\n dkim=none;');
  expect(
    field
      .split('\r\n')
      .slice(1, -1)
      .every((line) => line.startsWith(' ')),
  ).toBe(true);
});

it.each([
  [' mail.test; spf=pass', true],
  ['MAIL.TEST.;spf=pass', true],
  ['\r\n\t(a (nested) comment \\)) mail.test/1; spf=pass', true],
  [' "mail.test" 1; spf=pass', true],
  [' mail.test(comment); spf=pass', true],
  [' mail.test', true],
  [' (never closed mail.test; spf=pass', true],
  ['', true],
  [' other.test; spf=pass', false],
  [' mail.test.other.test; spf=pass', false],
  [' other.test (mail.test); spf=pass', false],
])('the value %j claims to be ours: %p', (value, claims) => {
  expect(claimsToBeFrom(value, 'mail.test')).toBe(claims);
});
