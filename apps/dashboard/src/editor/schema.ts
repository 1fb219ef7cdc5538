import { Extension, Mark, mergeAttributes, Node, type Attributes } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { markAttributes, nodeAttributes, type NodeName } from '../logic/document-nodes';
import { labelsOfBlock } from './block-labels';
import { styleOfBlock } from './block-styles';
import { viewOf } from './node-views';

type Attrs = Readonly<Record<string, unknown>>;

/** What an element of this editor says about its node, so that copies keep everything. */
function attrsIn(element: HTMLElement): Attrs {
  try {
    return JSON.parse(element.getAttribute('data-attrs') ?? '{}') as Attrs;
  } catch {
    return {};
  }
}

function attributesOf(name: NodeName, more: Attributes = {}): Attributes {
  const known = Object.fromEntries(
    nodeAttributes[name].map((attribute) => [
      attribute,
      { default: null, rendered: false, parseHTML: (element: HTMLElement) => attrsIn(element)[attribute] ?? null },
    ]),
  );
  return { ...known, ...more };
}

const given = (attrs: Attrs): string =>
  JSON.stringify(Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null)));

/** The attributes of the element of a node. */
function elementOf(name: string, attrs: Attrs): Record<string, string> {
  const style = styleOfBlock(name, attrs);
  return {
    'data-block': name,
    'data-attrs': given(attrs),
    ...labelsOfBlock(name, attrs),
    ...(style === '' ? {} : { style }),
  };
}

interface BlockOptions {
  readonly content?: string;
  readonly group?: string;
  readonly marks?: string;
  readonly isolating?: boolean;
  readonly tag?: string;
}

/** A block with content of its own. */
function box(
  name: NodeName,
  { content = 'block+', group = 'block', isolating = true, tag = 'div', marks }: BlockOptions = {},
) {
  return Node.create({
    name,
    group,
    content,
    ...(marks === undefined ? {} : { marks }),
    defining: true,
    isolating,
    addAttributes: () => attributesOf(name),
    parseHTML: () => [{ tag: `[data-block="${name}"]`, priority: 60 }],
    renderHTML: ({ node }) => [tag, elementOf(name, node.attrs), 0],
  });
}

/** A block that is one thing: its settings stand in the panel. */
function atom(name: NodeName) {
  return Node.create({
    name,
    group: 'block',
    atom: true,
    // These two are not seen on the canvas.
    selectable: name !== 'previewText' && name !== 'globalContent',
    draggable: true,
    addAttributes: () => attributesOf(name),
    parseHTML: () => [{ tag: `[data-block="${name}"]`, priority: 60 }],
    renderHTML: ({ node }) => ['div', elementOf(name, node.attrs)],
    addNodeView() {
      return ({ node }) => viewOf(node);
    },
  });
}

const image = atom('image').extend({
  parseHTML: () => [
    { tag: '[data-block="image"]', priority: 60 },
    {
      tag: 'img[src]',
      getAttrs: (element) => {
        const src = element.getAttribute('src') ?? '';
        return /^https?:/.test(src) ? { src, alt: element.getAttribute('alt') ?? '' } : false;
      },
    },
  ],
  addAttributes: () =>
    attributesOf('image', {
      src: {
        default: null,
        rendered: false,
        parseHTML: (element) => attrsIn(element).src ?? element.getAttribute('src'),
      },
      alt: {
        default: null,
        rendered: false,
        parseHTML: (element) => attrsIn(element).alt ?? element.getAttribute('alt'),
      },
    }),
});

const variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => attributesOf('variable'),
  parseHTML: () => [{ tag: 'span[data-block="variable"]' }],
  renderHTML: ({ node }) => [
    'span',
    { ...elementOf('variable', node.attrs), class: 'ed-variable' },
    String(node.attrs.name ?? ''),
    ...(typeof node.attrs.fallback === 'string' ? [['span', {}, node.attrs.fallback]] : []),
  ],
  renderText: ({ node }) => {
    const { name, fallback } = node.attrs as { name: string; fallback: string | null };
    return `{{{${name}${fallback === null ? '' : `|${fallback}`}}}}`;
  },
});

function plainMark(name: 'sup' | 'sub' | 'uppercase', tag: string) {
  return Mark.create({
    name,
    parseHTML: () => [{ tag: name === 'uppercase' ? 'span[data-mark="uppercase"]' : tag }],
    renderHTML: () => [tag, name === 'uppercase' ? { 'data-mark': name, style: 'text-transform:uppercase' } : {}, 0],
  });
}

function styleMark(name: 'textStyle' | 'preservedStyle') {
  return Mark.create({
    name,
    addAttributes: () =>
      Object.fromEntries(
        markAttributes[name].map((attribute) => [
          attribute,
          { default: null, rendered: false, parseHTML: (element: HTMLElement) => attrsIn(element)[attribute] ?? null },
        ]),
      ),
    parseHTML: () => [{ tag: `span[data-mark="${name}"]` }],
    renderHTML: ({ mark }) => [
      'span',
      { 'data-mark': name, 'data-attrs': given(mark.attrs), style: styleOfBlock(name, mark.attrs) },
      0,
    ],
  });
}

/** Attributes of the nodes that come with the kit, and of the document itself. */
const kitNodes = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'listItem',
  'blockquote',
  'codeBlock',
  'horizontalRule',
] as const;
const kitAttributes = Extension.create({
  name: 'documentAttributes',
  addGlobalAttributes: () => [
    ...kitNodes.map((type) => ({
      types: [type],
      attributes: Object.fromEntries(
        nodeAttributes[type]
          .filter((name) => name !== 'level' && name !== 'start' && name !== 'language')
          .map((name, no) => [
            name,
            {
              default: null,
              parseHTML: (element: HTMLElement) =>
                attrsIn(element)[name] ?? (name === 'alignment' ? alignmentIn(element) : null),
              // The element says everything about its node once.
              renderHTML: (attrs: Attrs) => (no === 0 ? elementOf(type, attrs) : {}),
            },
          ]),
      ),
    })),
    {
      types: ['doc'],
      attributes: Object.fromEntries(
        ['lang', 'dir', 'styles'].map((name) => [name, { default: null, rendered: false }]),
      ),
    },
  ],
});

function alignmentIn(element: HTMLElement): string | null {
  const { textAlign } = element.style;
  return textAlign === 'center' || textAlign === 'right' ? textAlign : null;
}

const listItemOfBlocks = Extension.create({
  name: 'listItemOfBlocks',
  extendNodeSchema: (extension) => (extension.name === 'listItem' ? { content: 'block+' } : {}),
});

const column = 'columnsColumn';

/** Every node and mark of the documents. */
export function documentExtensions() {
  return [
    StarterKit.configure({
      dropcursor: { color: false, width: 3, class: 'ed-drop' },
      trailingNode: false,
      link: {
        openOnClick: false,
        autolink: true,
        defaultProtocol: 'https',
        HTMLAttributes: { target: null, rel: null, class: null },
      },
      undoRedo: { depth: 300, newGroupDelay: 400 },
      listKeymap: {},
    }),
    kitAttributes,
    listItemOfBlocks,
    box('button', { content: 'inline*', marks: 'bold italic', isolating: false }),
    box('section'),
    box('twoColumns', { content: `${column}{2}` }),
    box('threeColumns', { content: `${column}{3}` }),
    box('fourColumns', { content: `${column}{4}` }),
    box('columnsColumn', { group: 'column' }),
    box('container', { isolating: false }),
    box('body', { isolating: false }),
    box('div', { isolating: false }),
    table(),
    row(),
    cell('tableCell', 'td'),
    cell('tableHeader', 'th'),
    box('conditional'),
    box('repeat'),
    box('footer', { content: 'block*' }),
    image,
    ...(
      [
        'spacer',
        'logo',
        'social',
        'video',
        'menu',
        'product',
        'countdown',
        'html',
        'previewText',
        'globalContent',
      ] as const
    ).map(atom),
    variable,
    plainMark('sup', 'sup'),
    plainMark('sub', 'sub'),
    plainMark('uppercase', 'span'),
    styleMark('textStyle'),
    styleMark('preservedStyle'),
  ];
}

function table() {
  return Node.create({
    name: 'table',
    group: 'block',
    content: 'tableRow+',
    isolating: true,
    addAttributes: () => attributesOf('table'),
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: ({ node }) => ['table', elementOf('table', node.attrs), ['tbody', 0]],
  });
}

function row() {
  return Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)+',
    addAttributes: () => attributesOf('tableRow'),
    parseHTML: () => [{ tag: 'tr' }],
    renderHTML: ({ node }) => ['tr', elementOf('tableRow', node.attrs), 0],
  });
}

function cell(name: 'tableCell' | 'tableHeader', tag: 'td' | 'th') {
  return Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => attributesOf(name),
    parseHTML: () => [{ tag }],
    renderHTML: ({ node, HTMLAttributes }) => [tag, mergeAttributes(HTMLAttributes, elementOf(name, node.attrs)), 0],
  });
}
