import { describe, expect, it } from '@jest/globals';
import { parseEmailAddress } from '#kernel';
import { AddressValidation, isRole, suggestionFor, verdictOf, withParents } from './address-validation.js';

describe('the suggestion for a mistyped address', () => {
  it.each([
    ['ada@gmial.com', 'ada@gmail.com'],
    ['ada@gamil.com', 'ada@gmail.com'],
    ['ada@gmai.com', 'ada@gmail.com'],
    ['ada@gmaill.com', 'ada@gmail.com'],
    ['ada@gmail.con', 'ada@gmail.com'],
    ['ada@gmail.co', 'ada@gmail.com'],
    ['ada@gmial.cmo', 'ada@gmail.com'],
    ['Ada.L+x@GMIAL.com', 'Ada.L+x@gmail.com'],
    ['ada@hotmial.fr', 'ada@hotmail.fr'],
    ['ada@googelmial.com', 'ada@googlemail.com'],
    ['ada@yaho.co.jp', 'ada@yahoo.co.jp'],
    ['ada@customer.con', 'ada@customer.com'],
    ['ada@gmail,com', 'ada@gmail.com'],
    ['ada@gmail..com', 'ada@gmail.com'],
    ['ada@gmailcom', 'ada@gmail.com'],
    ['ada@customer,test', 'ada@customer.test'],
  ])('%s is probably %s', (given, meant) => {
    expect(suggestionFor(given)).toBe(meant);
  });

  it.each([
    ['ada@gmail.com'],
    ['ada@email.com'],
    ['ada@mail.com'],
    ['ada@aon.com'],
    ['ada@yahoo.se'],
    ['ada@startup.co'],
    ['ada@customer.cm'],
    ['ada@customer.example'],
    ['ada'],
    ['@gmial.com'],
    [`ada@${'gmial'.repeat(10_000)}.com`],
    ['a'.repeat(100) + '@gmial.com'],
  ])('%s has none', (given) => {
    expect(suggestionFor(given)).toBeUndefined();
  });
});

describe('an address', () => {
  it('is of a role by the name before a plus sign', () => {
    const role = (text: string): boolean => isRole(parseEmailAddress(text) as never);
    expect(['Info@a.test', 'no-reply+7@a.test', 'kontakt@a.test'].map(role)).toEqual([true, true, true]);
    expect(['ada@a.test', 'information@a.test', '+info@a.test'].map(role)).toEqual([false, false, false]);
  });

  it('has the domains above its own, without the top-level domain', () => {
    expect(withParents('a.b.mailinator.com')).toEqual(['a.b.mailinator.com', 'b.mailinator.com', 'mailinator.com']);
  });
});

describe('the verdict on an address', () => {
  const good: AddressValidation = {
    email: 'ada@customer.test',
    isValid: true,
    suggestion: undefined,
    mailHosts: 'found',
    isDisposable: false,
    isRole: false,
    suppressed: undefined,
    bouncedAt: undefined,
  };

  it.each<[Partial<AddressValidation>, string]>([
    [{}, 'good'],
    [{ isValid: false, mailHosts: 'not_checked' }, 'bad'],
    [{ mailHosts: 'none' }, 'bad'],
    [{ mailHosts: 'null_mx' }, 'bad'],
    [{ suppressed: 'manual', isRole: true }, 'bad'],
    [{ suggestion: 'ada@gmail.com' }, 'risky'],
    [{ isDisposable: true, mailHosts: 'unknown' }, 'risky'],
    [{ isRole: true }, 'risky'],
    [{ bouncedAt: new Date(0) }, 'risky'],
    [{ mailHosts: 'unknown' }, 'unknown'],
    [{ mailHosts: 'not_checked' }, 'unknown'],
  ])('%j is %s', (found, verdict) => {
    expect(verdictOf({ ...good, ...found })).toBe(verdict);
  });
});
