import { MergeTemplate } from '#kernel';
import { BroadcastContent } from './broadcast.js';

type Texts = Pick<BroadcastContent, 'subject' | 'previewText' | 'html' | 'text'>;

/** Names of the tags in a broadcast, as merges compare names. */
export function usedNames({ subject, previewText, html, text }: Texts): ReadonlySet<string> {
  const names = new Set<string>();
  for (const part of [subject, previewText, html, text]) {
    if (part === null) continue;
    for (const { name } of new MergeTemplate(part, 'text').tags) names.add(name);
  }
  return names;
}
