import type { ReadableMessage } from '#mime';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);
/** Maximum characters of images that are inserted again: the HTML may refer to an image a thousand times. */
const maxRepeatedCharacters = 1024 * 1024;

/** The HTML with the images of the message (`cid:`, RFC 2392) inserted, since it may load nothing. */
export function htmlWithImages(message: Pick<ReadableMessage, 'html' | 'files'>): Buffer {
  const images = new Map(message.files.map((file) => [file.contentId, file]));
  const urls = new Map<string, string>();
  let room = maxRepeatedCharacters;
  const html = message.html()?.toString('utf8') ?? '';
  const shown = html.replace(/cid:([^\s"'<>()]{1,500})/g, (url, id: string) => {
    const image = images.get(id);
    if (image === undefined || !imageTypes.has(image.contentType)) return url;
    const known = urls.get(id);
    if (known !== undefined) return (room -= known.length) < 0 ? url : known;
    const data = `data:${image.contentType};base64,${image.content().toString('base64')}`;
    urls.set(id, data);
    return data;
  });
  return Buffer.from(shown);
}
