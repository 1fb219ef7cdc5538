import type { JsonNode } from '../document-json.js';

/** Parts of documents, short to write, in the form in which the service stores them. */

type Inline = JsonNode | string;
type Attrs = Readonly<Record<string, unknown>>;

const inline = (content: readonly Inline[]): readonly JsonNode[] =>
  content.map((each) => (typeof each === 'string' ? { type: 'text', text: each } : each));

function block(type: string, attrs: Attrs, content?: readonly JsonNode[]): JsonNode {
  return {
    type,
    ...(Object.keys(attrs).length === 0 ? {} : { attrs }),
    ...(content === undefined ? {} : { content }),
  };
}

export const marked = (text: string, ...types: readonly string[]): JsonNode => ({
  type: 'text',
  text,
  marks: types.map((type) => ({ type })),
});
export const bold = (text: string): JsonNode => marked(text, 'bold');
export const link = (text: string, href: string): JsonNode => ({
  type: 'text',
  text,
  marks: [{ type: 'link', attrs: { href } }],
});
export const value = (name: string, fallback: string): JsonNode => ({ type: 'variable', attrs: { name, fallback } });
export const item = (name: string): JsonNode => ({ type: 'variable', attrs: { name: `this.${name}` } });
export const boldly = (node: JsonNode): JsonNode => ({ ...node, marks: [{ type: 'bold' }] });
export const lineBreak: JsonNode = { type: 'hardBreak' };

export const paragraph = (attrs: Attrs, ...content: readonly Inline[]): JsonNode =>
  block('paragraph', attrs, inline(content));
export const text = (...content: readonly Inline[]): JsonNode => paragraph({}, ...content);
/** A line in small capitals above a title. */
export const kicker = (words: string, attrs: Attrs = {}): JsonNode =>
  paragraph({ size: 12, space: 8, ...attrs, style: 'letter-spacing:1.2px' }, marked(words, 'bold', 'uppercase'));
export const small = (...content: readonly Inline[]): JsonNode => paragraph({ size: 14 }, ...content);
export const heading = (level: number, attrs: Attrs, ...content: readonly Inline[]): JsonNode =>
  block('heading', { level, ...attrs }, inline(content));
export const button = (label: string, href: string, attrs: Attrs = {}): JsonNode =>
  block('button', { href, ...attrs }, inline([label]));
export const image = (src: string, alt: string, attrs: Attrs = {}): JsonNode => block('image', { src, alt, ...attrs });
export const section = (attrs: Attrs, ...content: readonly JsonNode[]): JsonNode => block('section', attrs, content);
export const column = (attrs: Attrs, ...content: readonly JsonNode[]): JsonNode =>
  block('columnsColumn', attrs, content);
export const columns = (attrs: Attrs, ...content: readonly JsonNode[]): JsonNode =>
  block(
    ({ 2: 'twoColumns', 3: 'threeColumns', 4: 'fourColumns' } as Record<number, string>)[content.length] ?? '',
    attrs,
    content,
  );
export const list = (type: 'bulletList' | 'orderedList', ...items: readonly (readonly Inline[])[]): JsonNode =>
  block(
    type,
    {},
    items.map((each) => block('listItem', {}, [text(...each)])),
  );
export const rule = (attrs: Attrs = {}): JsonNode => block('horizontalRule', attrs);
export const spacer = (height: number): JsonNode => block('spacer', { height });
export const logo = (attrs: Attrs = {}): JsonNode => block('logo', attrs);
export const social = (...networks: readonly string[]): JsonNode =>
  block('social', {
    alignment: 'center',
    space: 0,
    links: networks.map((network) => ({ network, href: `https://example.com/${network}` })),
    look: 'brand',
    size: 24,
  });
export const table = (attrs: Attrs, ...rows: readonly (readonly JsonNode[])[]): JsonNode =>
  block(
    'table',
    attrs,
    rows.map((cells) => block('tableRow', {}, cells)),
  );
export const cell = (attrs: Attrs, ...content: readonly JsonNode[]): JsonNode => block('tableCell', attrs, content);
export const header = (attrs: Attrs, ...content: readonly Inline[]): JsonNode =>
  block('tableHeader', attrs, [paragraph({ size: 13 }, ...content)]);
/** Two cells of a table: a name, and a value at the right. */
export const pair = (name: Inline, amount: Inline): readonly JsonNode[] => [
  cell({}, text(name)),
  cell({ alignment: 'right' }, text(amount)),
];
export const repeat = (of: string, ...content: readonly JsonNode[]): JsonNode => block('repeat', { list: of }, content);
export const footer = (reason: string, unsubscribe?: string): JsonNode =>
  block('footer', unsubscribe === undefined ? {} : { unsubscribe }, [text(reason)]);
