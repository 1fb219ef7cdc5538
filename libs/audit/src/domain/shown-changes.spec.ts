import { expect, it } from '@jest/globals';
import { EncodedBytes, LargeText } from '#kernel';
import { changesBetween, shown } from './shown-changes.js';

it('secrets are hidden at any depth, and what only says whether there is one is shown', () => {
  const value = { signing_secret: 'whsec_1', token: 're_1', nested: [{ password: 'x', name: 'n' }], has_token: true };
  expect(shown(value)).toEqual({
    signing_secret: '[hidden]',
    token: '[hidden]',
    nested: [{ password: '[hidden]', name: 'n' }],
    has_token: true,
  });
});

it('large values are cut: text, items, fields and depth', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as unknown;
  expect(JSON.stringify(shown(deep)).length).toBeLessThan(60);
  const wide = { text: 'x'.repeat(10_000), items: Array.from({ length: 10_000 }, () => 1) };
  expect(JSON.stringify(shown(wide)).length).toBeLessThan(1_000);
  expect(
    Object.keys(shown(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, i]))) as object),
  ).toHaveLength(101);
});

it('long texts and bytes are not taken apart', () => {
  const html = LargeText.from('<p>Hello</p>'.repeat(100_000));
  const content = new EncodedBytes(Buffer.alloc(40 * 1024 * 1024));
  expect(shown({ html, content, none: new EncodedBytes(undefined) })).toEqual({
    html: `${'<p>Hello</p>'.repeat(42).slice(0, 500)}…`,
    content: '41943040 bytes',
    none: null,
  });
});

it('an entry has a size, however many fields, items and levels a change has', () => {
  const level = (depth: number): unknown =>
    depth === 0
      ? '😀'.repeat(500)
      : Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, level(depth - 1)]));
  for (const value of [level(3), { first: level(3), last: 'x' }, [level(2)], level(1)]) {
    const copy = shown(value);
    expect(Buffer.byteLength(JSON.stringify(copy))).toBeLessThan(12_000);
    expect(JSON.stringify(copy)).toContain('…');
  }
  const { first, last } = shown({ first: level(3), last: 'x' }) as Record<string, unknown>;
  expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(5_000);
  expect(last).toBe('x');
});

it('a text is not cut in the middle of a character', () => {
  expect(shown({ text: `x${'😀'.repeat(400)}` })).toEqual({ text: `x${'😀'.repeat(249)}…` });
});

it('what PostgreSQL refuses is left out: NUL, and halves of characters', () => {
  expect(shown({ 'a\0b': 'c\0\ud800', d: '\\u0000' })).toEqual({ ab: 'c\ufffd', d: '\\u0000' });
});

it('a change far inside of a long text is seen', () => {
  const text = (end: string): object => ({ html: 'x'.repeat(5_000) + end, name: 'n' });
  expect(Object.keys(changesBetween(text('a'), text('b')).after as object)).toEqual(['html']);
});

it('only the fields that differ are kept', () => {
  expect(changesBetween({ a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 }, d: null })).toEqual({
    before: { b: { c: 2 } },
    after: { b: { c: 3 }, d: null },
  });
  const at = (day: number): object => ({ at: new Date(day), items: [{ a: 1 }, 2], none: null });
  expect(changesBetween(at(1), at(1))).toEqual({ before: {}, after: {} });
  expect(Object.keys(changesBetween(at(1), at(2)).after as object)).toEqual(['at']);
  expect(changesBetween({ a: { b: 1 }, c: [1] }, { a: { d: 1 }, c: [1, 2] }).before).toEqual({ a: { b: 1 }, c: [1] });
  expect(changesBetween(undefined, { a: 1 })).toEqual({ before: null, after: { a: 1 } });
});
