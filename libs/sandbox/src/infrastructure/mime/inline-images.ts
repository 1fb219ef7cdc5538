import { ParsedMessage } from './parsed-message.js';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);

/** The html with the images that it brought along (`cid:`, RFC 2392) put in place, since it may load nothing else. */
export function htmlWithImages({ html, attachments }: ParsedMessage): string {
  return attachments.reduce((shown, { contentId, contentType, content }) => {
    if (contentId === null || !imageTypes.has(contentType)) return shown;
    const url = `data:${contentType};base64,${Buffer.from(content).toString('base64')}`;
    return shown.replaceAll(`cid:${contentId}`, () => url);
  }, html ?? '');
}
