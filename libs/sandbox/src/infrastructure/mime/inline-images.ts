import type { ReadableMessage } from '#mime';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);
/** Characters of images put into one html: a small picture may be named a thousand times. */
const maxImageCharacters = 64 * 1024 * 1024;

/** The html with the images that it brought along (`cid:`, RFC 2392) put in place, since it may load nothing else. */
export function htmlWithImages(message: Pick<ReadableMessage, 'html' | 'files'>): Buffer {
  const images = new Map(message.files.map((file) => [file.contentId, file]));
  let room = maxImageCharacters;
  const html = message.html()?.toString('utf8') ?? '';
  const shown = html.replace(/cid:([^\s"'<>()]{1,500})/g, (url, id: string) => {
    const image = images.get(id);
    if (image === undefined || !imageTypes.has(image.contentType)) return url;
    const data = image.content().toString('base64');
    room -= data.length;
    return room < 0 ? url : `data:${image.contentType};base64,${data}`;
  });
  return Buffer.from(shown);
}
