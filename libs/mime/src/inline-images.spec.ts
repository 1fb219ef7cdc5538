import { expect, it } from '@jest/globals';
import { htmlWithImages } from './inline-images.js';

const megabyte = 1024 * 1024;

function shown(source: string, contentType = 'image/png', content = Buffer.of(1, 2, 3)): string {
  const files = [{ filename: null, contentType, contentId: 'logo', contentDisposition: '', content: () => content }];
  return htmlWithImages(Buffer.from(source), files, 4 * megabyte).toString();
}

it('inserts the images of the message into the HTML', () => {
  expect(shown('<img src="cid:logo"><img src="https://example.test/cid:other">')).toBe(
    '<img src="data:image/png;base64,AQID"><img src="https://example.test/cid:other">',
  );
});

it('embeds nothing but images', () => {
  expect(shown('<img src="cid:logo">', 'text/html')).toBe('<img src="cid:logo">');
});

it('limits the size, however often an image is used', () => {
  const html = shown('cid:logo '.repeat(1_000), 'image/png', Buffer.alloc(megabyte));
  expect(html.length).toBeGreaterThan(2 * megabyte);
  expect(html.length).toBeLessThan(5 * megabyte);
});

it('limits repetitions by themselves, so that they take no room from other images', () => {
  const file = (contentId: string) => ({
    filename: null,
    contentType: 'image/png',
    contentId,
    contentDisposition: '',
    content: () => Buffer.alloc(megabyte / 2),
  });
  const html = Buffer.from(`${'cid:first '.repeat(100)}cid:second`);
  const result = htmlWithImages(html, [file('first'), file('second')], 4 * megabyte, megabyte).toString();
  expect(result.match(/data:/g)).toHaveLength(3);
  expect(result.endsWith('cid:second')).toBe(false);
});
