import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError } from '#kernel';
import { parseDraft, SendRequest } from './draft.js';

const now = new Date('2026-11-21T12:00:00Z');

function request(fields: Partial<SendRequest> = {}): SendRequest {
  return { from: 'Acme <me@acme.test>', to: 'you@example.test', subject: 'Hello', text: 'Hi', ...fields };
}

const refusal = (fields: Partial<SendRequest>): unknown => {
  try {
    return parseDraft(request(fields), now);
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    throw error;
  }
};

const attachment = { contentType: 'text/plain', content: new Uint8Array() };
const injected = ['\r\nBcc: victim@example.test', '\nX-Injected: 1', '\rX', 'a\0b', '\r\n\r\nbody'];

/** Every field of a send request that ends up in a header of the message. */
const headerFields: Record<string, (text: string) => Partial<SendRequest>> = {
  'the address of from': (text) => ({ from: `me${text}@acme.test` }),
  'the end of from': (text) => ({ from: `me@acme.test${text}x` }),
  'the name of from': (text) => ({ from: `Acme${text} <me@acme.test>` }),
  'the quoted name of from': (text) => ({ from: `"Acme${text}" <me@acme.test>` }),
  'the name of to': (text) => ({ to: `You${text} <you@example.test>` }),
  'one of several to': (text) => ({ to: ['a@example.test', `b@example.test${text}c`] }),
  cc: (text) => ({ cc: `You${text} <you@example.test>` }),
  bcc: (text) => ({ bcc: `you@example${text}.test` }),
  reply_to: (text) => ({ replyTo: [`Reply${text} <me@acme.test>`] }),
  subject: (text) => ({ subject: `Hello${text}` }),
  'the name of a header': (text) => ({ headers: { [`X-A${text}`]: '1' } }),
  'the value of a header': (text) => ({ headers: { 'X-A': `1${text}` } }),
  'the name of a tag': (text) => ({ tags: [{ name: `a${text}`, value: 'b' }] }),
  'the value of a tag': (text) => ({ tags: [{ name: 'a', value: `b${text}` }] }),
  'the filename of an attachment': (text) => ({ attachments: [{ ...attachment, filename: `a${text}.txt` }] }),
  'the content_id of an attachment': (text) => ({ attachments: [{ ...attachment, contentId: `a${text}` }] }),
  'the content_type of an attachment': (text) => ({
    attachments: [{ ...attachment, contentType: `text/plain; charset=x${text}` }],
  }),
};

describe('a header', () => {
  it.each(Object.keys(headerFields))('cannot be injected through %s', (field) => {
    for (const text of injected) {
      expect(refusal(headerFields[field]?.(text) ?? {})).toEqual({
        code: expect.stringMatching(/^(validation_error|invalid_attachment)$/),
        message: expect.any(String),
      });
    }
  });

  it.each(Object.keys(headerFields))('never contains a line break from %s', (field) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const outcome = JSON.stringify(refusal(headerFields[field]?.(text) ?? {}));
        if (outcome.startsWith('{"code"')) return;
        const draft = JSON.parse(outcome) as Record<string, unknown>;
        const headers = JSON.stringify({ ...draft, text: null, html: null });
        expect(headers).not.toMatch(/\\[rn]|\\u0000/);
      }),
      { numRuns: 100 },
    );
  });

  it('that the service writes cannot be set by the customer', () => {
    for (const name of ['From', 'DKIM-Signature', 'received', 'Content-Type', 'BCC']) {
      expect(refusal({ headers: { [name]: 'x' } })).toMatchObject({ code: 'validation_error' });
    }
  });
});

describe('the content_type of an attachment', () => {
  const typed = (contentType: string): unknown => refusal({ attachments: [{ ...attachment, contentType }] });

  it.each([
    'text/plain',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'text/calendar; charset="utf-8"; method=REQUEST',
    'text/plain;charset=utf-8',
    'image/svg+xml',
  ])('may be %s', (contentType) => expect(typed(contentType)).toHaveProperty('attachments'));

  it.each([
    'text',
    'text/plain; charset',
    'text/plain\n; a=b',
    'text/plain;\r\n a=b',
    'text/plain; a="b\u0000"',
    'text/plain; a=ü',
    `text/${'x'.repeat(252)}`,
    `text/plain;${' '.repeat(100_000)}`,
    `text/plain; a="${'x'.repeat(39_000_000)}"`,
  ])('may not be %.40j', (contentType) => {
    expect(typed(contentType)).toMatchObject({ code: 'invalid_attachment' });
  });

  it('counts towards the size of the email', () => {
    const plain = parseDraft(request({ attachments: [attachment] }), now).size;
    const longer = parseDraft(request({ attachments: [{ ...attachment, contentType: 'text/plain; a=b' }] }), now).size;
    expect(longer - plain).toBe(5);
  });
});

describe('tags', () => {
  it('are letters, digits, dashes and underscores, at most 256 of them', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,256}$/), fc.string({ unit: 'binary' }), (good, any) => {
        expect(parseDraft(request({ tags: [{ name: good, value: good }] }), now).tags).toHaveLength(1);
        const allowed = /^[A-Za-z0-9_-]{1,256}$/.test(any) && !any.endsWith('\n');
        expect('tags' in (refusal({ tags: [{ name: 'a', value: any }] }) as object)).toBe(allowed);
      }),
    );
    expect(refusal({ tags: [{ name: 'a', value: '' }] })).toMatchObject({ code: 'validation_error' });
    expect(refusal({ tags: [{ name: 'a'.repeat(257), value: 'b' }] })).toMatchObject({ code: 'validation_error' });
  });
});

describe('a draft', () => {
  it('is either made or refused with a DomainError, for any request', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a@b.test', 'A <a@b.test>', 'text/plain'));
    const texts = fc.oneof(text, fc.array(text, { maxLength: 60 }));
    const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined });
    const anyRequest = fc.record({
      from: optional(text),
      to: optional(texts),
      cc: optional(texts),
      bcc: optional(texts),
      replyTo: optional(texts),
      subject: optional(text),
      html: optional(text),
      text: optional(text),
      headers: optional(fc.dictionary(text, text)),
      tags: optional(fc.array(fc.record({ name: text, value: text }))),
      attachments: optional(
        fc.array(
          fc.record({
            filename: optional(text),
            contentType: text,
            contentId: optional(text),
            content: fc.uint8Array(),
          }),
        ),
      ),
      scheduledAt: optional(fc.date({ noInvalidDate: true })),
    });
    fc.assert(
      fc.property(anyRequest, (fields) => {
        expect(refusal(fields)).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [60 * 60_000, true],
    [-30_000, true],
    [-120_000, false],
    [30 * 24 * 3_600_000, true],
    [30 * 24 * 3_600_000 + 1, false],
  ])('scheduled %i ms from now is accepted: %s', (offset, taken) => {
    const outcome = refusal({ scheduledAt: new Date(now.getTime() + offset) }) as object;

    expect('scheduledAt' in outcome).toBe(taken);
  });
});
