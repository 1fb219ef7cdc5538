import { describe, expect, it } from '@jest/globals';
import { BroadcastContent } from './broadcast.js';
import { sentContent } from './sent-content.js';

const content = (fields: Partial<BroadcastContent>): BroadcastContent => ({
  ...{
    from: 'a@b.test',
    replyTo: null,
    subject: 'Hi',
    previewText: 'News <b> for {{{FIRST_NAME|you}}}',
    html: null,
    text: null,
  },
  ...fields,
});

/** The html around the hidden preview. */
function around(html: string): readonly (string | undefined)[] {
  const sent = sentContent(content({ html })).html ?? '';
  expect(sent).toContain('News &#60;b&#62; for {{{FIRST_NAME|you}}}&#847;');
  const begin = sent.indexOf('<div aria-hidden="true"');
  return [sent.slice(0, begin), sent.slice(sent.indexOf('</div>', begin) + '</div>'.length)];
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
    expect(sentContent(content({ html: '<p>x</p>', previewText: null }))).toEqual({ html: '<p>x</p>' });
    expect(sentContent(content({ text: 'x' }))).toEqual({ text: 'x' });
  });
});
