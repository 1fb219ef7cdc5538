import { describe, expect, it } from '@jest/globals';
import { htmlWithImages } from './inline-images.js';
import { parseMessage } from './parsed-message.js';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));

describe('parseMessage', () => {
  it('finds the parts, without a line break that the sender did not write', async () => {
    const parsed = await parseMessage(
      message(
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
      ),
    );
    expect(parsed).toMatchObject({ text: 'Hello', html: '<p>Hello</p>', attachments: [] });
  });

  it('has no part where there is none', async () => {
    expect(await parseMessage(message('Subject: x', 'Content-Type: text/html', '', '<p>x</p>'))).toMatchObject({
      text: null,
      html: '<p>x</p>',
      headers: [
        { name: 'Subject', value: 'x' },
        { name: 'Content-Type', value: 'text/html' },
      ],
    });
  });

  it('finds nothing in a header that no parser would read, and does not fail', async () => {
    const endless = Buffer.alloc(5_000_000, 'a: b\r\n');
    expect(await parseMessage(endless)).toMatchObject({ html: null, text: null });
  });
});

describe('htmlWithImages', () => {
  const parsed = (contentType: string): Parameters<typeof htmlWithImages>[0] => ({
    html: '<img src="cid:logo"><img src="https://example.test/cid:other">',
    text: null,
    headers: [],
    attachments: [{ filename: null, contentType, contentId: 'logo', content: Uint8Array.of(1, 2, 3) }],
  });

  it('puts the images of the message where the html names them', () => {
    expect(htmlWithImages(parsed('image/png'))).toContain('<img src="data:image/png;base64,AQID">');
  });

  it('embeds nothing but images', () => {
    expect(htmlWithImages(parsed('text/html'))).toContain('<img src="cid:logo">');
  });
});
