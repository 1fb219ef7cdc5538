import { expect, it } from '@jest/globals';
import { refusalFor } from './receiving-policy.js';
import { shownVerdicts } from './shown-verdicts.js';
import { plusTagOf } from './received-email.js';
import { Verdicts } from './verdicts.js';

const fine: Verdicts = {
  spf: { result: 'softfail', domain: 'a.test' },
  dkim: [
    { result: 'fail', domain: 'b.test', selector: 's', aligned: false },
    { result: 'pass', domain: 'a.test', selector: 's', aligned: true },
  ],
  dmarc: { result: 'pass', domain: 'a.test', policy: 'reject', alignedBy: ['dkim'] },
  arc: { result: 'none', sets: 0 },
  fcrdns: { result: 'none' },
  spam: null,
  virus: null,
};
const all = { enforcesDmarc: true, refusesSpam: true, refusesViruses: true };
const nothing = { enforcesDmarc: false, refusesSpam: false, refusesViruses: false };

it('refuses what fails DMARC under p=reject, spam and viruses, where the operator wants it', () => {
  const failing: Verdicts = { ...fine, dmarc: { ...fine.dmarc, result: 'fail' } };
  const spam: Verdicts = { ...fine, spam: { score: 20, requiredScore: 15, isSpam: true, symbols: {} } };
  const virus: Verdicts = { ...fine, virus: { result: 'infected', name: 'Eicar\r\n250 ok' } };
  expect(refusalFor(fine, all)).toBeUndefined();
  expect(refusalFor(failing, all)?.enhancedCode).toBe('5.7.26');
  expect(refusalFor({ ...failing, dmarc: { ...failing.dmarc, policy: 'quarantine' } }, all)).toBeUndefined();
  expect(refusalFor({ ...failing, dmarc: { ...failing.dmarc, result: 'temperror' } }, all)).toBeUndefined();
  expect(refusalFor(spam, all)?.text).toContain('spam');
  expect(refusalFor(virus, all)?.text).toBe('The message contains a virus (Eicar??250?ok)');
  for (const verdicts of [failing, spam, virus]) expect(refusalFor(verdicts, nothing)).toBeUndefined();
});

it('shows verdicts in the words of the contract', () => {
  expect(shownVerdicts(fine)).toEqual({ spf: 'gray', dkim: 'pass', dmarc: 'pass' });
  expect(shownVerdicts({ ...fine, dkim: [], dmarc: { ...fine.dmarc, result: 'temperror' } })).toMatchObject({
    dkim: 'unknown',
    dmarc: 'processing_failed',
  });
});

it.each([
  ['support+orders@acme.test', 'orders'],
  ['support+a+b@acme.test', 'a+b'],
  ['support@acme.test', null],
  ['+x@acme.test', null],
  ['support+@acme.test', null],
])('the tag of %s is %s', (address, tag) => {
  expect(plusTagOf(address)).toBe(tag);
});
