import { describe, expect, it } from '@jest/globals';
import { BroadcastContent } from './broadcast.js';
import { hasUnsubscribeLink, sentContent, withUnsubscribeFooter } from './sent-content.js';

const tags = new Set(['unsubscribe_url']);
const link = '{{{UNSUBSCRIBE_URL}}}';

const content = (fields: Partial<BroadcastContent>): BroadcastContent => ({
  from: 'a@b.test',
  replyTo: null,
  subject: 'Hi',
  previewText: 'News <b> for {{{FIRST_NAME|you}}}',
  html: null,
  text: null,
  ...fields,
});

/** The html around the hidden preview. */
function around(html: string): readonly (string | undefined)[] {
  const sent = sentContent(content({ html: html + link }), tags).html ?? '';
  expect(sent).toContain('News &#60;b&#62; for {{{FIRST_NAME|you}}}&#847;');
  const begin = sent.indexOf('<div aria-hidden="true"');
  return [sent.slice(0, begin), sent.slice(sent.indexOf('</div>', begin) + '</div>'.length).replace(link, '')];
}

describe('the preview text', () => {
  it('stands before everything that is visible', () => {
    expect(around('<p>Hello</p>')).toEqual(['', '<p>Hello</p>']);
    expect(around('Hello')).toEqual(['', 'Hello']);
    expect(around('<html><head><title>x</title></head><BODY class="a>b" id=1><p>Hello</p></BODY></html>')).toEqual([
      '<html><head><title>x</title></head><BODY class="a>b" id=1>',
      '<p>Hello</p></BODY></html>',
    ]);
    expect(around('<!DOCTYPE html><html><!-- <body> --><head></head><p>Hello</p></html>')).toEqual([
      '<!DOCTYPE html><html><!-- <body> --><head></head>',
      '<p>Hello</p></html>',
    ]);
  });

  it('survives html that is broken', () => {
    for (const html of ['<', '<!--', '<body', '<body class="', '< body>x', '']) expect(around(html)).toHaveLength(2);
  });

  it('is absent where there is none, and from mail without html', () => {
    expect(sentContent(content({ html: link, previewText: null }), tags)).toEqual({ html: link });
    expect(sentContent(content({ text: link }), tags)).toEqual({ text: link });
  });
});

describe('the link to unsubscribe', () => {
  const tags = new Set(['unsubscribe_url', 'resend_unsubscribe_url']);
  const link = '{{{ resend_unsubscribe_url }}}';
  const footed = (html: string | null, text: string | null = null) => withUnsubscribeFooter({ html, text }, tags);

  it('the html, or the text where there is none, has a link', () => {
    expect(hasUnsubscribeLink({ html: link, text: null }, tags)).toBe(true);
    expect(hasUnsubscribeLink({ html: null, text: '{{UNSUBSCRIBE_URL}}' }, tags)).toBe(true);
    expect(hasUnsubscribeLink({ html: 'x', text: link }, tags)).toBe(false);
    expect(hasUnsubscribeLink({ html: null, text: 'x' }, tags)).toBe(false);
  });

  it.each([
    ['<body>a</body>', /^<body>a<p .*Unsubscribe<\/a><\/p>\s<\/body>$/],
    ['<html>a</HTML>', /^<html>a<p .*<\/p>\s<\/HTML>$/],
    ['<body>a</body ></html>', /^<body>a<p .*<\/p>\s<\/body ><\/html>$/],
    ['a', /^a\s<p .*<\/p>\s$/],
    ['', /^\s<p /],
  ])('a footer is the end of %s', (html, expected) => {
    expect(footed(html).html).toMatch(expected);
    expect(hasUnsubscribeLink(footed(html), tags)).toBe(true);
  });

  it('each body that has no link gets one, unless most recipients see one', () => {
    expect(footed(null, 'a ').text).toBe('a\n\nUnsubscribe: {{{RESEND_UNSUBSCRIBE_URL}}}\n');
    expect(footed(link, 'a')).toEqual({ html: link, text: 'a' });
    expect(footed('a', link).text).toBe(link);
    expect(footed('a', '').text).toBe('');
    expect(footed('a', 'b').text).toContain('Unsubscribe:');
  });

  it('there is room for it behind as many tags as are allowed', () => {
    expect(hasUnsubscribeLink(footed('{{{a}}}'.repeat(10_000)), tags)).toBe(true);
  });
});
