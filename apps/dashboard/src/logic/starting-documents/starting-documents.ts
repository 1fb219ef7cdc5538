import type { JsonNode } from '../document-json.js';
import type { Look } from './look.js';
import { newsDocuments } from './news.js';
import { personalDocuments } from './personal.js';
import { serviceDocuments } from './service.js';
import type { StartingDocument } from './starting-document.js';

/** Twelve documents to begin with: for many readers at once, and for one at a time. */
export const startingDocuments: readonly StartingDocument[] = [
  ...newsDocuments,
  ...personalDocuments,
  ...serviceDocuments,
];

/** The whole document in the look of a team. Broadcasts have their preview text beside the document. */
export function documentFrom(
  { preview, blocks }: StartingDocument,
  look: Look,
  kind: 'broadcast' | 'template',
): JsonNode {
  const hidden = kind === 'template' ? [{ type: 'previewText', attrs: { text: preview } }] : [];
  return { type: 'doc', attrs: { lang: 'en' }, content: [...hidden, ...blocks(look)] };
}

const tag = /\{\{\{([\w.]{1,100})(?:\|([^{}]{0,500}))?\}\}\}/g;

/** Rendered html as a reader would see it: variables are their fallbacks, and lists have the items of the samples. */
export function withSamples(html: string, samples: StartingDocument['samples'] = {}): string {
  const [before = '', ...lists] = html.split(/\{\{#each (\w{1,60})\}\}/);
  let whole = before;
  for (let at = 0; at < lists.length; at += 2) {
    const [inner = '', after = ''] = (lists[at + 1] ?? '').split('{{/each}}', 2);
    for (const fields of samples[lists[at] ?? ''] ?? []) {
      whole += inner.replace(tag, (all, name: string) => fields[name.replace(/^this\./, '')] ?? all);
    }
    whole += after;
  }
  return whole.replace(tag, (_, name: string, fallback: string | undefined) =>
    /unsubscribe_url$/i.test(name) ? '#' : (fallback ?? ''),
  );
}

/** The variables of a text, such as a subject, as templates define them. */
export function variablesIn(
  text: string,
): readonly { readonly key: string; readonly type: 'string'; readonly fallback_value: string }[] {
  return [...text.matchAll(tag)].map(([, key = '', fallback = '']) => ({
    key,
    type: 'string',
    fallback_value: fallback,
  }));
}
