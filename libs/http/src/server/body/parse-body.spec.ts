import { describe, expect, it } from '@jest/globals';
import { LargeText } from '#kernel';
import { parseBody, plainJson } from './parse-body.js';

const parse = (body: unknown): unknown => parseBody(Buffer.from(JSON.stringify(body)), JSON.parse);
const long = 'äöü€😀\n'.repeat(5_000);

describe('a parsed body', () => {
  it('has long html and text of an email, and of the emails of a batch, as bytes', () => {
    const email = { subject: long, html: long, text: 'short', headers: { text: long } };
    const parsed = { subject: long, html: LargeText.from(long), text: 'short', headers: { text: long } };

    expect(parse(email)).toEqual(parsed);
    expect(parse([email, 1, null, email])).toEqual([parsed, 1, null, parsed]);
  });

  it.each([
    '{"__proto__":{"a":1}}',
    '[{"deep":[{"__proto__":1}]}]',
    String.raw`{"\u005f_proto__":null}`,
    '{"constructor":{"prototype":{"a":1}}}',
  ])('is refused where a key would change a prototype: %s', (json) => {
    expect(() => parseBody(Buffer.from(json), plainJson)).toThrow('not valid JSON');
  });

  it('may have similar harmless keys, and a byte order mark in front', () => {
    const json = '{"constructor":"a","prototype":{"constructor":null},"text":"__proto__"}';
    expect(parseBody(Buffer.from(`\uFEFF${json}`), plainJson)).toEqual(JSON.parse(json));
  });

  it('has neither NUL nor half a surrogate pair, in values and in keys', () => {
    const half = '\ud83d';
    expect(parse({ a: [`b${half}`] })).toEqual({ a: ['b\ufffd'] });
    expect(() => parse({ a: { [`b${half}`]: 1 } })).toThrow('half a surrogate pair');
    for (const body of ['a\0', ['a\0'], { a: { b: '\0' } }, { 'a\0': 1 }, [{ a: { '\0b': null } }]]) {
      expect(() => parse(body)).toThrow('must not contain NUL');
    }
  });

  it('has large text whose beginning can be read separately', () => {
    const { html } = parse({ html: long }) as { html: LargeText };

    expect(html.toString()).toBe(long);
    expect(html.length).toBe(long.length);
    expect(html.beginning(1_000).slice(0, 1_000)).toBe(long.slice(0, 1_000));
  });
});
