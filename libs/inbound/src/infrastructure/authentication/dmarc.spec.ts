import { expect, it } from '@jest/globals';
import { dmarcRecordOf, evaluateDmarc, readPolicy, worstOf } from './dmarc.js';

const noSpf = { result: 'fail', domain: 'a.test' } as const;
const signature = (domain: string, result = 'pass') => ({ result, domain, selector: 's' }) as never;

it.each([
  ['v=DMARC1; p=reject', false, 'reject'],
  ['v=DMARC1;p=Reject;pct=50', false, 'quarantine'],
  ['v=DMARC1; p=quarantine; t=y', false, 'none'],
  ['v=DMARC1; p=reject; sp=none', true, 'none'],
  ['v=DMARC1; p=reject; sp=none', false, 'reject'],
  ['v=DMARC1; p=reject', true, 'reject'],
  ['v=DMARC1', false, undefined],
  ['v=DMARC1; p=destroy', false, undefined],
])('%s asks for the policy (of the parent: %p) %s', (record, isOfParent, policy) => {
  expect(readPolicy(record, isOfParent)?.policy).toBe(policy);
});

it('takes exactly one record', () => {
  expect(dmarcRecordOf(['v=spf1 -all', 'v=DMARC1; p=none'])).toBe('v=DMARC1; p=none');
  expect(dmarcRecordOf(['v=DMARC1; p=none', 'v=DMARC1; p=reject'])).toBeUndefined();
  expect(dmarcRecordOf(['v=DMARC10; p=none', 'v=dmarc1'])).toBe('v=dmarc1');
});

it('aligns by the organizational domain, and exactly where the owner asks for it', () => {
  const relaxed = readPolicy('v=DMARC1; p=reject', false);
  const strict = readPolicy('v=DMARC1; p=reject; adkim=s; aspf=s', false);
  const of = (policy: typeof relaxed, domain: string) => evaluateDmarc('a.co.uk', policy, noSpf, [signature(domain)]);
  expect(of(relaxed, 'mail.a.co.uk')).toMatchObject({ result: 'pass', alignedBy: ['dkim'] });
  expect(of(strict, 'mail.a.co.uk').result).toBe('fail');
  expect(of(strict, 'a.co.uk').result).toBe('pass');
  expect(of(relaxed, 'b.co.uk').result).toBe('fail');
  expect(evaluateDmarc('a.test', strict, { result: 'pass', domain: 'send.a.test' }, []).result).toBe('fail');
  expect(evaluateDmarc('a.test', relaxed, { result: 'pass', domain: 'send.a.test' }, []).result).toBe('pass');
});

it('does not fail a message whose check could not be made', () => {
  const policy = readPolicy('v=DMARC1; p=reject', false);
  expect(evaluateDmarc('a.test', policy, noSpf, [signature('a.test', 'temperror')]).result).toBe('temperror');
  expect(evaluateDmarc('a.test', undefined, noSpf, []).result).toBe('none');
});

it('of several authors the worst counts', () => {
  const pass = { result: 'pass', domain: 'a.test', alignedBy: [] } as const;
  const fail = { result: 'fail', domain: 'b.test', policy: 'none', alignedBy: [] } as const;
  const rejected = { ...fail, policy: 'reject' } as const;
  expect(worstOf([pass, fail, rejected])).toBe(rejected);
  expect(worstOf([])).toBeUndefined();
});
