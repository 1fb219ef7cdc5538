import { describe, expect, it } from '@jest/globals';
import { LargeText } from '#kernel';
import { boundedJson } from './bounded-json.js';

const kept = (body: unknown): unknown => JSON.parse(boundedJson(body) ?? 'null');

describe('a logged body', () => {
  it('treats large text like long strings', () => {
    const html = '<p>Grüße 😀</p>'.repeat(5_000);
    expect(boundedJson({ html: LargeText.from(html) })).toBe(boundedJson({ html }));
  });

  it('is unchanged if it is small', () => {
    const body = { to: ['a@b.test'], tags: [{ name: 'x', value: 'y' }], n: 1, t: true, nothing: null };
    expect(kept(body)).toEqual(body);
  });

  it('has secrets masked at every depth', () => {
    const body = { token: 're_abc', webhook: { signing_secret: 'whsec_x' }, headers: { Authorization: 'Bearer y' } };
    expect(kept(body)).toEqual({ token: '***', webhook: { signing_secret: '***' }, headers: { Authorization: '***' } });
  });

  it('is bounded for every kind of body', () => {
    const body = {
      attachments: [
        { content: 'A'.repeat(40_000_000) },
        { content: Array.from({ length: 100_000 }, () => 7) },
        { content: { type: 'Buffer', data: Array.from({ length: 100_000 }, () => 7) } },
      ],
      lists: Array.from({ length: 500 }, () => Array.from({ length: 500 }, () => 'text')),
    };
    expect(boundedJson(body)?.length).toBeLessThan(40_000);
    expect(kept(body)).toMatchObject({
      attachments: [{ content: expect.stringContaining('(40000000 characters)') }, {}, {}],
    });
  });

  it('can be stored by PostgreSQL', () => {
    expect(boundedJson({ 'a\0': 'x\0y\ud800' })).toBe('{"a":"xy\ufffd"}');
  });

  it('is null unless the body is an object', () => {
    expect([boundedJson(undefined), boundedJson('text'), boundedJson(null)]).toEqual([null, null, null]);
  });

  it('cannot change the prototype', () => {
    expect(boundedJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
  });
});
