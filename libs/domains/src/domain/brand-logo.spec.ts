import { expect, it } from '@jest/globals';
import { brandLogoOf } from './brand-logo.js';

const ofBimi = (...bimi: readonly string[]) =>
  brandLogoOf({ dmarc: ['v=DMARC1; p=reject'], isInherited: false, bimi, bimiHost: 'default._bimi.a.test' });

it.each([
  ['v=BIMI1; l=https://a.test/logo.svg; a=https://a.test/vmc.pem'],
  ['v=BIMI1;l=https://a.test/logo.SVG?v=2;a='],
  ['v=BIMI1; l=https://a.test/logo.svg; avp=brand'],
])('%s is a good record', (record) => {
  expect(ofBimi('unrelated', record)).toEqual({
    isDmarcEnforced: true,
    host: 'default._bimi.a.test',
    mistake: null,
    isDeclined: false,
  });
});

it('a record may say that there is no logo, and there may be no record', () => {
  expect(ofBimi('v=BIMI1; l=; a=;')).toMatchObject({ isDeclined: true, mistake: null });
  expect(ofBimi('unrelated')).toMatchObject({ isDeclined: false, mistake: null, host: null });
});

it.each([
  ['v=BIMI2; l=https://a.test/logo.svg', 'v=BIMI1'],
  ['"v=BIMI1; l=https://a.test/logo.svg"', 'v=BIMI1'],
  ['v=BIMI1; l', 'v=BIMI1'],
  ['v=BIMI1; a=https://a.test/vmc.pem', 'no l='],
  ['v=BIMI1; l=; a=https://a.test/vmc.pem', 'no logo'],
  ['v=BIMI1; l=http://a.test/logo.svg', 'l= is not https'],
  ['v=BIMI1; l=logo.svg', 'l= is not https'],
  ['v=BIMI1; l=https://a.test/logo.png', '.svg'],
  ['v=BIMI1; l=https://a.test/logo.svg; a=self', 'a= is not https'],
])('%s is useless', (record, mistake) => {
  expect(ofBimi(record).mistake).toContain(mistake);
});

it('several records count for nothing', () => {
  const record = 'v=BIMI1; l=https://a.test/logo.svg';
  expect(ofBimi(record, record).mistake).toContain('several');
});

it.each([
  ['v=DMARC1; p=reject', false, true],
  ['v=DMARC1; p=Quarantine; pct=100', false, true],
  ['v=DMARC1; p=quarantine; pct=50', false, false],
  ['v=DMARC1; p=reject; t=y', false, false],
  ['v=DMARC1; p=none', false, false],
  ['v=DMARC1; p=reject; sp=none', false, true],
  ['v=DMARC1; p=reject; sp=none', true, false],
  ['v=DMARC1; p=none; sp=reject', true, false],
  ['v=DMARC1; p=reject', true, true],
  ['v=DMARC1; p', false, false],
  ['v=spf1 -all', false, false],
])('with %s, inherited: %s, DMARC is enforced: %s', (record, isInherited, isDmarcEnforced) => {
  const logo = brandLogoOf({ dmarc: [record], isInherited, bimi: [], bimiHost: 'x' });
  expect(logo.isDmarcEnforced).toBe(isDmarcEnforced);
});
