import { expect, it } from '@jest/globals';
import { snippetOf, textOfHtml } from './shown-text.js';

it('a snippet is one line of the text, or of the html without tags and styles', () => {
  expect(snippetOf({ html: null, text: ' Hello\n  there ' })).toBe('Hello there');
  const html = '<head><title>No</title></head><style>p { }</style><header>Hi &amp; <b>you</b></header><p>x';
  expect(snippetOf({ html, text: null })).toBe('Hi & you x');
  expect(snippetOf({ html: null, text: 'x'.repeat(500) })).toHaveLength(200);
  expect([snippetOf({ html: '<p></p>', text: null }), snippetOf({ html: null, text: null })]).toEqual([null, null]);
});

it('hostile html takes a moment', () => {
  const started = performance.now();
  for (const part of ['<', '<style>', '<script ', '</', '&amp;']) textOfHtml(part.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(500);
});
