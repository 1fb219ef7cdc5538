import type { MessageFile } from './reading/read-message.js';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);

/**
 * The HTML with the images of the message (`cid:`, RFC 2392) as data. The images together take at most `maxCharacters`,
 * and those beyond keep their reference. It may refer to an image a thousand times: repetitions take at most
 * `maxRepeated` of that.
 */
export function htmlWithImages(
  html: Buffer,
  files: readonly MessageFile[],
  maxCharacters: number,
  maxRepeated = maxCharacters,
): Buffer {
  const text = html.toString('utf8');
  if (!text.includes('cid:')) return html;
  const images = new Map(files.map((file) => [file.contentId, file]));
  const urls = new Map<string, string>();
  let room = maxCharacters;
  let roomForRepeats = maxRepeated;
  const shown = text.replace(/cid:([^\s"'<>()]{1,500})/g, (reference, id: string) => {
    const image = images.get(id);
    if (image === undefined || !imageTypes.has(image.contentType)) return reference;
    const isRepeated = urls.has(id);
    const known = urls.get(id) ?? `data:${image.contentType};base64,${image.content().toString('base64')}`;
    urls.set(id, known);
    if (known.length > (isRepeated ? Math.min(room, roomForRepeats) : room)) return reference;
    if (isRepeated) roomForRepeats -= known.length;
    room -= known.length;
    return known;
  });
  return Buffer.from(shown);
}
