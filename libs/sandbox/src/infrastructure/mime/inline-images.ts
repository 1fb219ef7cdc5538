import { ParsedMessage } from './parsed-message.js';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);

/** Of all images together, each as often as it is shown: a page of a few KB could ask for the same one without end. */
const maxImageCharacters = 32 * 1024 * 1024;

/** The html with the images that it brought along (`cid:`, RFC 2392) put in place, since it may load nothing else. */
export function htmlWithImages({ html, attachments }: ParsedMessage): string {
  const images = new Map<string, { readonly type: string; readonly content: Uint8Array }>();
  for (const { contentId, contentType, content } of attachments) {
    if (contentId === null || !imageTypes.has(contentType) || images.has(contentId)) continue;
    images.set(contentId, { type: contentType, content });
  }
  if (images.size === 0) return html ?? '';
  const urls = new Map<string, string>();
  let room = maxImageCharacters;
  return (html ?? '').replace(/\bcid:([^\s"'<>()]{1,255})/gi, (reference: string, id: string) => {
    const image = images.get(id);
    if (image === undefined || Math.ceil(image.content.length / 3) * 4 > room) return reference;
    const url = urls.get(id) ?? `data:${image.type};base64,${Buffer.from(image.content).toString('base64')}`;
    urls.set(id, url);
    room -= url.length;
    return url;
  });
}
