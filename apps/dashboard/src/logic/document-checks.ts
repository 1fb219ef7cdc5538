import { walk, type JsonNode } from './document-json.js';
import { clippedBytes } from './preview-html.js';

/** What is wrong with a document, in a word of `editor:check.<id>`. */
export interface DocumentCheck {
  readonly id:
    'noAlt' | 'noLink' | 'noImage' | 'noFallback' | 'noFooter' | 'noTitle' | 'noRule' | 'passed' | 'large' | 'empty';
  readonly tone: 'bad' | 'wait';
  readonly count: number;
}

interface Given {
  readonly type: 'broadcast' | 'template';
  /** Of the rendered html; undefined while it is not known. */
  readonly htmlBytes: number | undefined;
  readonly now: number;
}

/** What a careful person would look for before sending. */
export function checksOf(document: JsonNode, { type, htmlBytes, now }: Given): readonly DocumentCheck[] {
  const counts = new Map<DocumentCheck['id'], number>();
  const add = (id: DocumentCheck['id']): void => void counts.set(id, (counts.get(id) ?? 0) + 1);
  let hasTitle = false;
  let hasFooter = false;
  let hasUnsubscribe = false;
  walk(document, (node) => {
    const { attrs = {}, content = [] } = node;
    const lacks = (name: string): boolean => attrs[name] === undefined || attrs[name] === null || attrs[name] === '';
    const link = node.marks?.find((mark) => mark.type === 'link')?.attrs?.href;
    if (typeof link === 'string' && /unsubscribe_url/i.test(link)) hasUnsubscribe = true;
    switch (node.type) {
      case 'image':
        if (lacks('src')) add('noImage');
        else if (lacks('alt')) add('noAlt');
        break;
      case 'video':
        if (lacks('src')) add('noImage');
        if (lacks('href')) add('noLink');
        break;
      case 'product':
        if (lacks('image')) add('noImage');
        if (lacks('href')) add('noLink');
        break;
      case 'button':
        if (lacks('href') || attrs.href === '#') add('noLink');
        break;
      case 'social':
        if (((attrs.links ?? []) as readonly { href?: string }[]).some(({ href }) => href === undefined || href === ''))
          add('noLink');
        break;
      case 'variable':
        if (/unsubscribe_url/i.test(String(attrs.name))) hasUnsubscribe = true;
        else if (lacks('fallback') && !/^(?:contact\.)?email$|^this\b/i.test(String(attrs.name))) add('noFallback');
        break;
      case 'conditional':
        if (lacks('rule')) add('noRule');
        break;
      case 'countdown':
        if (Date.parse(String(attrs.until)) < now) add('passed');
        break;
      case 'heading':
        hasTitle ||= content.length > 0;
        break;
      case 'footer':
        hasFooter = true;
        break;
      default:
    }
  });
  if ((document.content ?? []).length === 0) add('empty');
  else if (!hasTitle) add('noTitle');
  if (type === 'broadcast' && !hasFooter && !hasUnsubscribe) add('noFooter');
  if (htmlBytes !== undefined && htmlBytes > clippedBytes) add('large');
  const bad = new Set<DocumentCheck['id']>(['noLink', 'empty', 'passed', 'large', 'noFallback']);
  return [...counts]
    .map(([id, count]): DocumentCheck => ({ id, count, tone: bad.has(id) ? 'bad' : 'wait' }))
    .sort((a, b) => (a.tone === b.tone ? 0 : a.tone === 'bad' ? -1 : 1));
}

/** The blocks at the top level that make the most of a document's size. */
export function largestBlocks(
  document: JsonNode,
  count = 3,
): readonly { readonly type: string; readonly share: number }[] {
  const sizes = (document.content ?? []).map((node) => ({ type: node.type, size: JSON.stringify(node).length }));
  const whole = sizes.reduce((sum, { size }) => sum + size, 0) || 1;
  return sizes
    .sort((a, b) => b.size - a.size)
    .slice(0, count)
    .map(({ type, size }) => ({ type, share: size / whole }));
}
