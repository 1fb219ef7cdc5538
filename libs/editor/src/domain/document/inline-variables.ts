import { DocumentNode } from './document-node.js';

/** A whole tag in three braces, as `MergeTemplate` reads it. */
const tag = /\{\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}\}/g;

/** Divides a text into texts and variables. */
export function splitVariables(text: string): readonly DocumentNode[] {
  if (!text.includes('{{{')) return [{ type: 'text', text }];
  const nodes: DocumentNode[] = [];
  let at = 0;
  for (const match of text.matchAll(tag)) {
    if (match.index > at) nodes.push({ type: 'text', text: text.slice(at, match.index) });
    const [written, name = '', fallback] = match;
    nodes.push({ type: 'variable', attrs: fallback === undefined || fallback === '' ? { name } : { name, fallback } });
    at = match.index + written.length;
  }
  if (at < text.length) nodes.push({ type: 'text', text: text.slice(at) });
  return nodes;
}
