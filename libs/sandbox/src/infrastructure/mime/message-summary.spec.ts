import { describe, expect, it } from '@jest/globals';
import { summaryOf } from './message-summary.js';

const summary = (...lines: string[]): ReturnType<typeof summaryOf> => summaryOf(Buffer.from(lines.join('\r\n')));

describe('summaryOf', () => {
  it('reads From, its address and the subject', () => {
    expect(summary('From: Acme <Hello@Example.TEST>', 'Subject: Hi', '', 'Subject: not this one')).toEqual({
      from: 'Acme <Hello@Example.TEST>',
      fromAddress: expect.objectContaining({ address: 'Hello@example.test', domain: 'example.test' }),
      subject: 'Hi',
    });
  });

  it('unfolds fields and decodes encoded words', () => {
    expect(
      summary('subject: =?utf-8?q?Gr=C3=BC?=', ' =?utf-8?q?=C3=9Fe?=', 'from: =?utf-8?b?SsO2cmc=?=', ' <j@a.test>', ''),
    ).toEqual({
      from: 'Jörg <j@a.test>',
      fromAddress: expect.objectContaining({ address: 'j@a.test' }),
      subject: 'Grüße',
    });
  });

  it('takes the address in angle brackets, not from a name that looks like one', () => {
    expect(summary('From: "x@mine.test" <a@other.test>', '').fromAddress?.domain).toBe('other.test');
    expect(summary('From: =?utf-8?q?=3Cx=40mine=2Etest=3E?= <a@other.test>', '').fromAddress?.domain).toBe(
      'other.test',
    );
  });

  it('removes characters that the database cannot store', () => {
    expect(summary('Subject: a\0b =?utf-8?q?=00c?=', '').subject).toBe('a b  c');
  });

  it('finds nothing in bytes that are not a message', () => {
    const nothing = { from: '', fromAddress: undefined, subject: '' };
    expect(summary('')).toEqual(nothing);
    expect(summary('hello', 'world')).toEqual(nothing);
    expect(summaryOf(Buffer.alloc(300_000, 0xff))).toEqual(nothing);
  });
});
