import type { JsonNode } from './document-json.js';

interface FirstWords {
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

/** What a new email begins with. */
export function firstDocument({ title, text, button }: FirstWords, lang: string): JsonNode {
  return {
    type: 'doc',
    attrs: { lang },
    content: [
      { type: 'logo' },
      { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: title }] },
      { type: 'paragraph', content: [{ type: 'text', text }] },
      { type: 'button', content: [{ type: 'text', text: button }] },
      { type: 'footer' },
    ],
  };
}
