import {
  Clock,
  Code,
  Columns2,
  Columns3,
  Columns4,
  FileCode,
  Heading1,
  Heading2,
  Heading3,
  Image,
  LayoutPanelTop,
  List,
  ListOrdered,
  Menu,
  Minus,
  MousePointerClick,
  MoveVertical,
  PanelBottom,
  Pilcrow,
  Play,
  Quote,
  Repeat,
  Share2,
  ShoppingBag,
  Split,
  Stamp,
  Table,
  type LucideIcon,
} from 'lucide-react';

/** A block that can be put into a document. */
export interface BlockKind {
  readonly name: string;
  readonly group: 'text' | 'layout' | 'media' | 'personal';
  readonly icon: LucideIcon;
  /** What is put in, with words of the present language. */
  readonly json: (t: (key: string) => string) => object;
  /** Further words by which it is found. */
  readonly words?: string;
  /** Offered in templates only: its list comes with the send request. */
  readonly isOfTemplates?: boolean;
}

const paragraph = (text?: string): object => ({
  type: 'paragraph',
  ...(text === undefined ? {} : { content: [{ type: 'text', text }] }),
});
const heading =
  (level: number): (() => object) =>
  () => ({ type: 'heading', attrs: { level } });
const list =
  (type: string): (() => object) =>
  () => ({ type, content: [{ type: 'listItem', content: [paragraph()] }] });
const columns =
  (type: string, count: number): (() => object) =>
  () => ({
    type,
    content: Array.from({ length: count }, () => ({ type: 'columnsColumn', content: [paragraph()] })),
  });
const cell = (type: string): object => ({ type, content: [paragraph()] });
const plain =
  (type: string): (() => object) =>
  () => ({ type });

const blockKinds: readonly BlockKind[] = [
  { name: 'paragraph', group: 'text', icon: Pilcrow, json: () => paragraph(), words: 'text p' },
  { name: 'heading1', group: 'text', icon: Heading1, json: heading(1), words: 'title h1' },
  { name: 'heading2', group: 'text', icon: Heading2, json: heading(2), words: 'h2' },
  { name: 'heading3', group: 'text', icon: Heading3, json: heading(3), words: 'h3' },
  { name: 'bulletList', group: 'text', icon: List, json: list('bulletList'), words: 'ul' },
  { name: 'orderedList', group: 'text', icon: ListOrdered, json: list('orderedList'), words: 'ol 1.' },
  { name: 'blockquote', group: 'text', icon: Quote, json: () => ({ type: 'blockquote', content: [paragraph()] }) },
  { name: 'codeBlock', group: 'text', icon: Code, json: plain('codeBlock') },
  {
    name: 'button',
    group: 'media',
    icon: MousePointerClick,
    json: (t) => ({ type: 'button', content: [{ type: 'text', text: t('first.button') }] }),
    words: 'cta link',
  },
  { name: 'image', group: 'media', icon: Image, json: plain('image'), words: 'picture photo img' },
  { name: 'video', group: 'media', icon: Play, json: plain('video'), words: 'youtube' },
  { name: 'logo', group: 'media', icon: Stamp, json: plain('logo'), words: 'brand' },
  {
    name: 'social',
    group: 'media',
    icon: Share2,
    json: () => ({
      type: 'social',
      attrs: { alignment: 'center', links: [{ network: 'x' }, { network: 'instagram' }, { network: 'linkedin' }] },
    }),
  },
  {
    name: 'menu',
    group: 'media',
    icon: Menu,
    json: (t) => ({
      type: 'menu',
      attrs: { alignment: 'center', items: [1, 2, 3].map((no) => ({ label: `${t('first.link')} ${no}` })) },
    }),
    words: 'navigation links',
  },
  {
    name: 'product',
    group: 'media',
    icon: ShoppingBag,
    json: (t) => ({ type: 'product', attrs: { title: t('first.product'), price: '€49', button: t('first.buy') } }),
    words: 'shop card price',
  },
  {
    name: 'countdown',
    group: 'media',
    icon: Clock,
    json: () => ({
      type: 'countdown',
      attrs: { alignment: 'center', until: new Date(Date.now() + 3 * 86_400_000).toISOString() },
    }),
    words: 'timer deadline',
  },
  {
    name: 'section',
    group: 'layout',
    icon: LayoutPanelTop,
    json: () => ({ type: 'section', attrs: { background: '#f3f3f5' }, content: [paragraph()] }),
    words: 'background box',
  },
  { name: 'twoColumns', group: 'layout', icon: Columns2, json: columns('twoColumns', 2), words: 'columns' },
  { name: 'threeColumns', group: 'layout', icon: Columns3, json: columns('threeColumns', 3), words: 'columns' },
  { name: 'fourColumns', group: 'layout', icon: Columns4, json: columns('fourColumns', 4), words: 'columns' },
  {
    name: 'table',
    group: 'layout',
    icon: Table,
    json: () => ({
      type: 'table',
      content: [
        { type: 'tableRow', content: [cell('tableHeader'), cell('tableHeader')] },
        { type: 'tableRow', content: [cell('tableCell'), cell('tableCell')] },
      ],
    }),
  },
  { name: 'horizontalRule', group: 'layout', icon: Minus, json: plain('horizontalRule'), words: 'divider line hr' },
  { name: 'spacer', group: 'layout', icon: MoveVertical, json: plain('spacer'), words: 'space gap' },
  { name: 'html', group: 'layout', icon: FileCode, json: plain('html'), words: 'code raw' },
  {
    name: 'footer',
    group: 'layout',
    icon: PanelBottom,
    json: () => ({ type: 'footer', content: [paragraph()] }),
    words: 'unsubscribe address',
  },
  {
    name: 'conditional',
    group: 'personal',
    icon: Split,
    json: () => ({ type: 'conditional', content: [paragraph()] }),
    words: 'if rule',
  },
  {
    name: 'repeat',
    group: 'personal',
    icon: Repeat,
    json: () => ({
      type: 'repeat',
      attrs: { list: 'ITEMS' },
      content: [{ type: 'paragraph', content: [{ type: 'variable', attrs: { name: 'this.name' } }] }],
    }),
    words: 'loop list each',
    isOfTemplates: true,
  },
];

/** What can be put into a broadcast or a template. */
export function blockKindsOf(type: 'broadcast' | 'template'): readonly BlockKind[] {
  return blockKinds.filter(({ isOfTemplates }) => type === 'template' || isOfTemplates !== true);
}
