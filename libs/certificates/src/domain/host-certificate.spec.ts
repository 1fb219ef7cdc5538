import { describe, expect, it } from '@jest/globals';
import { AuthorityRefusal, explainProblem } from './authority-refusal.js';
import { nextLook, ownHosts, renewalWithin, retryAfterMs, usualRenewal } from './host-certificate.js';

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date('2026-11-30T12:00:00Z');
const after = (ms: number): Date => new Date(now.getTime() + ms);

describe('the next try', () => {
  it('waits twice as long after each failure, up to a day', () => {
    expect([1, 2, 3, 4, 5, 6, 100].map((tries) => retryAfterMs(tries, 0) / hour)).toEqual([1, 2, 4, 8, 16, 24, 24]);
  });

  it('is not before the authority allows it, within a week', () => {
    expect(retryAfterMs(1, 5 * hour)).toBe(5 * hour);
    expect(retryAfterMs(1, 400 * day)).toBe(7 * day);
  });
});

describe('a renewal', () => {
  it('is at two thirds of the lifetime, or within the window of the authority', () => {
    expect(usualRenewal(now, after(90 * day))).toEqual(after(60 * day));
    expect(renewalWithin({ start: now, end: after(4 * hour) }, 0.5)).toEqual(after(2 * hour));
  });

  it('of an authority with windows is looked at twice a day', () => {
    expect(nextLook(after(10 * day), true, now)).toEqual(after(12 * hour));
    expect(nextLook(after(hour), true, now)).toEqual(after(hour));
    expect(nextLook(after(10 * day), false, now)).toEqual(after(10 * day));
  });
});

it('the host of the SMTP ports comes first among those of the service', () => {
  const names = { publicUrl: 'https://mail.example.com:8443', hostName: 'MX.example.com', heloName: 'mx.example.com' };
  expect(ownHosts(names)).toEqual(['mx.example.com', 'mail.example.com']);
  expect(ownHosts({})).toEqual([]);
});

it('what an authority says is shown in one line, after a sentence of ours', () => {
  const problem = { type: 'urn:ietf:params:acme:error:caa', detail: `No\r\n${'x'.repeat(1_000)}` };
  const text = explainProblem('links.acme.test', problem);
  expect(text).toMatch(
    /^A CAA record of links\.acme\.test does not allow this certificate authority\. It said: No x+$/,
  );
  expect(text.length).toBeLessThan(400);
  expect(new AuthorityRefusal(text, 0, true).message).toBe(text);
});
