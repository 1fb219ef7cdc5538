import { describe, expect, it } from '@jest/globals';
import { htmlWithImages } from './inline-images.js';
import { parse, ParsedMessage } from './message.parser.js';

function parsed(...lines: string[]): object {
  return shown(parse(Buffer.from(lines.join('\r\n')), 'parts'));
}

function shown({ html, text, ...rest }: ParsedMessage): object {
  const decoded = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString());
  return { html: decoded(html), text: decoded(text), ...rest };
}

describe('the parts of a message', () => {
  it('are found, without a line break that the sender did not write', () => {
    const message = parsed(
      'Content-Type: multipart/alternative; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'Hello',
      '--x',
      'Content-Type: text/html',
      '',
      '<p>Hello</p>',
      '--x--',
      '',
    );
    expect(message).toMatchObject({ text: 'Hello', html: '<p>Hello</p>', attachments: [] });
  });

  it('are null if there are none', () => {
    expect(parsed('Subject: x', 'Content-Type: text/html', '', '<p>x</p>')).toMatchObject({
      text: null,
      html: '<p>x</p>',
      headers: [
        { name: 'Subject', value: 'x' },
        { name: 'Content-Type', value: 'text/html' },
      ],
    });
  });

  it('are null for an oversized header, with a reason', () => {
    const message = parse(Buffer.alloc(5_000_000, 'a: b\r\n'), 'parts');
    expect(message).toMatchObject({ html: null, text: null, unreadable: expect.stringContaining('header') });
  });
});

describe('htmlWithImages', () => {
  const content = (): Buffer => Buffer.of(1, 2, 3);
  const html = (contentType: string, source: string): string =>
    htmlWithImages({
      html: () => Buffer.from(source),
      files: [{ filename: null, contentType, contentId: 'logo', contentDisposition: '', content }],
    }).toString();

  it('inserts the images of the message into the html', () => {
    const source = '<img src="cid:logo"><img src="https://example.test/cid:other">';
    expect(html('image/png', source)).toBe(
      '<img src="data:image/png;base64,AQID"><img src="https://example.test/cid:other">',
    );
  });

  it('embeds nothing but images', () => {
    expect(html('text/html', '<img src="cid:logo">')).toContain('<img src="cid:logo">');
  });

  it('limits the size, however often an image is used', () => {
    const picture = (): Buffer => Buffer.alloc(1024 * 1024);
    const shownHtml = htmlWithImages({
      html: () => Buffer.from('cid:logo '.repeat(1_000)),
      files: [
        { filename: null, contentType: 'image/png', contentId: 'logo', contentDisposition: '', content: picture },
      ],
    });
    expect(shownHtml.length).toBeLessThan(70_000_000);
  });
});
