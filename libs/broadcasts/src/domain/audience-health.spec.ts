import { expect, it } from '@jest/globals';
import type { MeasuredAudience } from '#audience';
import { AudienceHealth, healthOf } from './audience-health.js';

const audience: MeasuredAudience = {
  members: 1_000,
  isEstimated: false,
  measured: 1_000,
  unsubscribed: 0,
  withoutTopic: 0,
  suppressed: { bounce: 0, complaint: 0, manual: 0 },
  recipients: 1_000,
  neverMailed: 0,
  engaged: 800,
  silent: 0,
  imported: 0,
  imports: [],
};

const health = (fields: Partial<MeasuredAudience> = {}): AudienceHealth => healthOf({ ...audience, ...fields });
const finding = (id: string, of: AudienceHealth) => of.findings.find((one) => one.id === id);

it('a list that knows its readers has nothing to mend', () => {
  const { findings } = health();
  expect(findings.map(({ status }) => status)).toEqual(Array(5).fill('good'));
  expect(findings.every(({ fix }) => fix === null)).toBe(true);
});

it.each([
  ['suppressed', { suppressed: { bounce: 10, complaint: 9, manual: 0 } }, 'good'],
  ['suppressed', { suppressed: { bounce: 15, complaint: 5, manual: 0 } }, 'advice'],
  ['suppressed', { suppressed: { bounce: 50, complaint: 0, manual: 0 } }, 'warning'],
  ['suppressed', { suppressed: { bounce: 0, complaint: 0, manual: 900 } }, 'good'],
  ['unengaged', { silent: 199 }, 'good'],
  ['unengaged', { silent: 200 }, 'advice'],
  ['unengaged', { silent: 500 }, 'warning'],
  ['unengaged', { silent: 900, engaged: 0 }, 'not_measured'],
  ['never_mailed', { neverMailed: 199 }, 'good'],
  ['never_mailed', { neverMailed: 200 }, 'advice'],
  ['never_mailed', { neverMailed: 500 }, 'warning'],
  ['recent_imports', { imported: 199 }, 'good'],
  ['recent_imports', { imported: 200 }, 'advice'],
  ['recent_imports', { imported: 500 }, 'warning'],
] as const)('%s with %j is %s', (...[id, fields, status]) => {
  const of = health(fields);
  expect(finding(id, of)).toMatchObject({
    status,
    fix: ['advice', 'warning'].includes(status) ? expect.any(String) : null,
  });
});

it('shares of fewer than a hundred contacts are shown and not judged', () => {
  const of = health({ members: 99, measured: 99, recipients: 99, neverMailed: 99 });
  expect(finding('never_mailed', of)).toMatchObject({ status: 'not_measured', contacts: 99, percent: 100, fix: null });
});

it('the worst come first', () => {
  const of = health({ neverMailed: 200, suppressed: { bounce: 90, complaint: 0, manual: 0 } });
  expect(of.findings.map(({ id }) => id).slice(0, 2)).toEqual(['suppressed', 'never_mailed']);
});

it('an audience in which nobody would get it is a warning', () => {
  const none = { recipients: 0, engaged: 0 };
  const of = health({ ...none, unsubscribed: 400, withoutTopic: 600 });
  expect(finding('recipients', of)).toMatchObject({
    status: 'warning',
    evidence: '0 of 1,000 contacts would get it. Of the others, 400 unsubscribed, and 600 did not choose the topic.',
    fix: expect.stringContaining('another segment'),
  });
  const empty = finding('recipients', health({ ...none, members: 0, measured: 0 }));
  expect(empty).toMatchObject({ status: 'warning', evidence: 'The segment has no contacts.', percent: 0 });
});

it('numbers of a sample are scaled to the audience, and its imports too', () => {
  const createdAt = new Date('2026-11-20T08:00:00Z');
  const imports = [{ id: 'a', fileName: 'fair.csv', createdAt, contacts: 600 }];
  const of = health({ members: 50_000, isEstimated: true, imported: 620, imports });
  expect(of).toMatchObject({ members: 50_000, recipients: 50_000, measured: 1_000, isEstimated: true });
  expect(of.imports).toEqual([{ ...imports[0], contacts: 30_000 }]);
  expect(finding('recent_imports', of)).toMatchObject({
    contacts: 31_000,
    percent: 62,
    evidence:
      '31,000 of 50,000 contacts (62%) were imported in the last 30 days. The largest import is "fair.csv" of 2026-11-20.',
  });
  const unnamed = health({ imported: 620, imports: [{ id: 'a', fileName: null, createdAt, contacts: 600 }] });
  expect(finding('recent_imports', unnamed)?.evidence).toContain('that of 2026-11-20');
});
