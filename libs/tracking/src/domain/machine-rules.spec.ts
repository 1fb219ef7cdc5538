import { describe, expect, it } from '@jest/globals';
import { isBurst, machineReason, machineRules, matches, reasonOfTime, Visit } from './machine-rules.js';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const plain: Visit = { kind: 'click', method: 'GET', userAgent: chrome, purpose: '' };

describe('machineReason', () => {
  it.each(machineRules.map((rule, index): [number, string, typeof rule] => [index, rule.reason, rule]))(
    'rule %i recognises %s by its example, and no earlier rule does',
    (index, reason, rule) => {
      const visit = { ...plain, ...rule.example };
      expect(machineRules.findIndex((candidate) => matches(candidate, visit))).toBe(index);
      expect(machineReason(visit)).toBe(reason);
    },
  );

  it.each([
    ['Chrome', chrome],
    [
      'Safari on a telephone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    ],
    [
      'Apple Mail without its privacy',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    ],
    [
      'Outlook',
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.5134; ms-office; MSOffice 16)',
    ],
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.12.0'],
    [
      'a reader behind the proxy of Gmail',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    ],
    ['a reader behind the proxy of Yahoo', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['an app on Android', 'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 7 Build/AP1A.240505.004)'],
    [
      'a telephone of Cubot',
      'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0 Mobile Safari/537.36',
    ],
  ])('%s counts as a reader', (_, userAgent) => {
    expect(machineReason({ ...plain, kind: 'open', userAgent })).toBeUndefined();
  });

  it('the rules take linear time for every user agent', () => {
    for (const piece of ['a', 'trend ', 'bot', 'link ', 'Mozilla/5.0', ' ']) {
      machineReason({ ...plain, userAgent: piece.repeat(200_000) });
    }
  });
});

describe('reasonOfTime', () => {
  const at = new Date('2026-11-21T12:00:00Z');
  const before = (ms: number): Date => new Date(at.getTime() - ms);

  it('recognises visits that come too soon for a person', () => {
    expect(reasonOfTime('open', at, undefined)).toBe('before_delivery');
    expect(reasonOfTime('open', at, before(999))).toBe('at_delivery');
    expect(reasonOfTime('open', at, before(1_000))).toBeUndefined();
    expect(reasonOfTime('click', at, before(1_999))).toBe('at_delivery');
    expect(reasonOfTime('click', at, before(2_000))).toBeUndefined();
  });
});

it('three different links at once are a burst, the same links repeated are not', () => {
  expect(isBurst(['a', 'b', 'c'])).toBe(true);
  expect(isBurst(['a', 'b', 'a', 'b'])).toBe(false);
});
