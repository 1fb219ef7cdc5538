import { expect, it } from '@jest/globals';
import { brandLogo, factsBeside } from '../../../../../test/support/builders/message-corpus.js';
import type { MailFacts } from '../message-facts.js';
import { bulkChecks } from './bulk.js';

const message = { size: 1, longestLine: 1, fields: [], signatures: [], html: null, text: null, files: [] };

function verdict(domain: Partial<MailFacts['domain']>, isBulk = true) {
  const bimi = bulkChecks.find(({ id }) => id === 'bimi');
  return bimi?.of({ ...factsBeside({ domain, mail: { isBulk } }), message });
}

it.each([
  ['a record, and DMARC that is enforced', {}, 'good', 'default._bimi.acme.example'],
  ['a record that declines', { isDeclined: true, isDmarcEnforced: false }, 'good', 'shows no logo'],
  ['a wrong record', { mistake: 'it has no l=' }, 'warning', 'it has no l='],
  ['DMARC that is not enforced', { isDmarcEnforced: false }, 'warning', 'DMARC is not enforced'],
  ['no record', { host: null }, 'advice', 'no BIMI record at default._bimi.mail.acme.example'],
  ['neither', { host: null, isDmarcEnforced: false }, 'not_measured', 'no inbox would show a logo'],
] as const)('bulk mail of a domain with %s is %j: %s', (...[, logo, status, evidence]) => {
  const found = verdict({ brandLogo: { ...brandLogo, ...logo } });
  expect(found?.status).toBe(status);
  expect(found?.evidence).toContain(evidence);
  expect(found?.fix === undefined).toBe(status === 'good' || status === 'not_measured');
});

it('nothing is measured of other mail, of the sandbox, and before the record was looked up', () => {
  expect(verdict({ brandLogo: { ...brandLogo, host: null } }, false)?.status).toBe('not_measured');
  expect(verdict({ isSandbox: true })?.status).toBe('not_measured');
  expect(verdict({ brandLogo: null })?.status).toBe('not_measured');
});
