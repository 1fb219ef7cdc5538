import type { ReadableMessage } from '#mime';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);
/** Maximum characters of all images in the HTML: it may refer to each of them a thousand times. */
const maxCharacters = 16 * 1024 * 1024;

/** The HTML with the images of the message (`cid:`, RFC 2392) as data. Those beyond the limit keep their reference. */
export function htmlWithImages(html: Buffer, files: ReadableMessage['files']): Buffer {
  const text = html.toString('utf8');
  if (!text.includes('cid:')) return html;
  const images = new Map(files.map((file) => [file.contentId, file]));
  const urls = new Map<string, string>();
  let room = maxCharacters;
  const shown = text.replace(/cid:([^\s"'<>()]{1,500})/g, (reference, id: string) => {
    const image = images.get(id);
    if (image === undefined || !imageTypes.has(image.contentType)) return reference;
    const known = urls.get(id) ?? `data:${image.contentType};base64,${image.content().toString('base64')}`;
    urls.set(id, known);
    if (known.length > room) return reference;
    room -= known.length;
    return known;
  });
  return Buffer.from(shown);
}
