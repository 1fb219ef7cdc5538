import {
  anything,
  Attribute,
  color,
  flag,
  html,
  link,
  listOf,
  moment,
  number,
  oneOf,
  rule,
  source,
  style,
  text,
  width,
} from './attribute.js';
import { parseStyles } from '../styles/team-styles.js';

/** What may stand in a node. */
export type ContentKind =
  | 'none'
  /** Blocks, at least one. */
  | 'blocks'
  /** Text, line breaks and variables. */
  | 'inline'
  /** Text without marks. */
  | 'text'
  | 'items'
  | 'columns'
  | 'rows'
  | 'cells';

export interface NodeType {
  readonly content: ContentKind;
  readonly attrs: Readonly<Record<string, Attribute>>;
  /** What it is, in a clause for whoever writes documents. */
  readonly about: string;
}

const aliased = (attribute: Attribute, ...aliases: string[]): Attribute => ({ ...attribute, aliases });

const alignment = aliased(oneOf('left', 'center', 'right', 'justify'), 'align', 'textAlign');
/** Pixels below the block. */
const space = number(0, 200);
const size = aliased(number(8, 96), 'fontSize');
const radius = aliased(number(0, 100), 'borderRadius');
const background = aliased(color, 'backgroundColor', 'bgcolor');
const verticalAlign = aliased(oneOf('top', 'middle', 'bottom'), 'valign');

const words = { alignment, color, size, lineHeight: number(1, 3, 2), space, style };
const placed = { alignment, space };
const columns = { gap: aliased(number(0, 80), 'cellspacing'), stack: flag(true), verticalAlign, space, style };
const cell = { alignment, background, color, colspan: number(1, 20), verticalAlign, width, style };

export const socialNetworks = [
  'bluesky',
  'discord',
  'facebook',
  'github',
  'instagram',
  'linkedin',
  'mastodon',
  'pinterest',
  'reddit',
  'rss',
  'threads',
  'tiktok',
  'website',
  'whatsapp',
  'x',
  'youtube',
] as const;
export type SocialNetwork = (typeof socialNetworks)[number];

/** Every node but `doc` and `text`. Names and attributes of the first group are those of React Email's editor. */
export const nodeTypes: Readonly<Record<string, NodeType>> = {
  paragraph: { content: 'inline', attrs: words, about: 'A paragraph.' },
  heading: {
    content: 'inline',
    attrs: { level: number(1, 6), ...words },
    about: 'A heading. Level 1 is the title of the email, 2 and 3 divide it.',
  },
  bulletList: { content: 'items', attrs: { color, size, space, style }, about: 'A list of listItem.' },
  orderedList: {
    content: 'items',
    attrs: { start: number(0, 9_999), color, size, space, style },
    about: 'A numbered list of listItem.',
  },
  listItem: { content: 'blocks', attrs: { style }, about: 'One item: paragraphs and lists.' },
  blockquote: {
    content: 'blocks',
    attrs: { color, space, style },
    about: 'A quote: paragraphs. `color` is that of its line.',
  },
  codeBlock: { content: 'text', attrs: { language: text(40), space }, about: 'Program text, with its line breaks.' },
  horizontalRule: {
    content: 'none',
    attrs: { color, thickness: number(1, 20), width: number(1, 100), line: oneOf('solid', 'dashed', 'dotted'), space },
    about: 'A dividing line. `width` is in percent.',
  },
  button: {
    content: 'inline',
    attrs: {
      href: link,
      alignment,
      color,
      background,
      radius,
      size: oneOf('small', 'medium', 'large'),
      fullWidth: flag(),
      outline: flag(),
      space,
      style,
    },
    about: 'A button with its label. Leave colors out: the styles of the team apply.',
  },
  image: {
    content: 'none',
    attrs: { src: source, alt: text(500), width, alignment, href: link, radius, fullWidth: flag(), space },
    about: 'An image. `alt` says what it shows; leave it out if it only decorates. `fullWidth` goes to the edges.',
  },
  section: {
    content: 'blocks',
    attrs: {
      background,
      darkBackground: color,
      textColor: color,
      image: aliased(source, 'backgroundImage'),
      paddingTop: number(0, 160),
      paddingRight: number(0, 160),
      paddingBottom: number(0, 160),
      paddingLeft: number(0, 160),
      radius,
      borderColor: color,
      borderWidth: number(0, 20),
      alignment,
      fullWidth: flag(),
      space,
      savedId: text(60),
      style,
    },
    about:
      'A group of blocks with a background, an image behind it, or a border. At the top level it goes to the edges.',
  },
  twoColumns: {
    content: 'columns',
    attrs: columns,
    about: 'Exactly two columnsColumn. They stack on phones unless `stack` is false.',
  },
  threeColumns: { content: 'columns', attrs: columns, about: 'Exactly three columnsColumn.' },
  fourColumns: { content: 'columns', attrs: columns, about: 'Exactly four columnsColumn.' },
  columnsColumn: {
    content: 'blocks',
    attrs: { width, background, padding: number(0, 80), radius, borderColor: color, verticalAlign, style },
    about: 'One column. Widths are percentages of the row, equal where they are left out.',
  },
  table: {
    content: 'rows',
    attrs: { lines: oneOf('none', 'rows', 'all'), size, space, style },
    about: 'A table of data, of tableRow.',
  },
  tableRow: { content: 'cells', attrs: { background, style }, about: 'A row of tableCell or tableHeader.' },
  tableCell: { content: 'blocks', attrs: cell, about: 'A cell: paragraphs, images, buttons.' },
  tableHeader: { content: 'blocks', attrs: cell, about: 'A cell of a header.' },
  container: { content: 'blocks', attrs: { style }, about: 'A wrapper, which changes nothing.' },
  body: { content: 'blocks', attrs: { style }, about: 'A wrapper, which changes nothing.' },
  div: { content: 'blocks', attrs: { style }, about: 'A wrapper with a style.' },
  previewText: {
    content: 'none',
    attrs: { text: text(998) },
    about: 'What mail programs show behind the subject, for templates. Broadcasts have `preview_text`.',
  },
  globalContent: {
    content: 'none',
    attrs: { data: anything },
    about: 'Settings of other editors: kept, without effect.',
  },

  spacer: { content: 'none', attrs: { height: number(1, 400) }, about: 'Empty space.' },
  logo: {
    content: 'none',
    attrs: { ...placed, width: number(16, 600), href: link },
    about: 'The logo of the team’s styles, or its name.',
  },
  social: {
    content: 'none',
    attrs: {
      ...placed,
      links: listOf(20, { network: oneOf(...socialNetworks), href: link }),
      look: oneOf('brand', 'dark', 'light', 'text'),
      size: number(16, 64),
    },
    about: 'Links to profiles, shown as icons.',
  },
  video: {
    content: 'none',
    attrs: { ...placed, href: link, src: source, alt: text(500), width: number(40, 1_000), radius },
    about: 'A picture of a video with a sign to play it, which opens `href`.',
  },
  menu: {
    content: 'none',
    attrs: { ...placed, items: listOf(12, { label: text(100), href: link }), separator: text(10), color, size },
    about: 'A row of links.',
  },
  product: {
    content: 'none',
    attrs: {
      ...placed,
      image: source,
      alt: text(500),
      title: text(300),
      text: text(1_000),
      price: text(60),
      oldPrice: text(60),
      href: link,
      button: text(100),
      layout: oneOf('stacked', 'side'),
    },
    about:
      'A product with image, name, price and button. Its texts may have merge tags, such as {{{this.price}}} in a repeat.',
  },
  countdown: {
    content: 'none',
    attrs: { ...placed, until: moment, background, color, expired: text(200), language: text(12) },
    about: 'An image that counts the days, hours and minutes to `until`, at the moment when the email is opened.',
  },
  conditional: {
    content: 'blocks',
    attrs: { rule },
    about: 'Blocks that only those see for whom the rule holds. Without a rule everybody does.',
  },
  repeat: {
    content: 'blocks',
    attrs: { list: text(60) },
    about:
      'Blocks that are shown once for each item of a variable of type `list`. Inside, variables are named this.name.',
  },
  html: { content: 'none', attrs: { html }, about: 'Html as it is, for what no block can do.' },
  footer: {
    content: 'blocks',
    attrs: { address: text(500), unsubscribe: text(120), alignment, color, size, space },
    about:
      'The last block: paragraphs, then the postal address (that of the team’s styles if it is left out) and the link to unsubscribe. It is added to broadcasts that have no link.',
  },

  hardBreak: { content: 'none', attrs: {}, about: 'A line break.' },
  variable: {
    content: 'none',
    attrs: { name: aliased(text(100), 'id'), fallback: text(500) },
    about:
      'A value of the reader: contact.first_name, contact.<property>, a variable of the template, RESEND_UNSUBSCRIBE_URL. `fallback` is shown where there is none.',
  },
};

export const inlineTypes: ReadonlySet<string> = new Set(['text', 'hardBreak', 'variable']);

/** Nodes that stand in certain other nodes only. */
export const partTypes: Readonly<Record<string, readonly string[]>> = {
  items: ['listItem'],
  columns: ['columnsColumn'],
  rows: ['tableRow'],
  cells: ['tableCell', 'tableHeader'],
};

const parts = new Set(Object.values(partTypes).flat());

/** Nodes that may stand wherever blocks may. */
export const blockTypes: ReadonlySet<string> = new Set(
  Object.keys(nodeTypes).filter((name) => !inlineTypes.has(name) && !parts.has(name)),
);

export const columnCounts: Readonly<Record<string, number>> = { twoColumns: 2, threeColumns: 3, fourColumns: 4 };

export interface MarkType {
  readonly attrs: Readonly<Record<string, Attribute>>;
  readonly about: string;
}

export const markTypes: Readonly<Record<string, MarkType>> = {
  bold: { attrs: {}, about: 'Bold.' },
  italic: { attrs: {}, about: 'Italic.' },
  underline: { attrs: {}, about: 'Underlined.' },
  strike: { attrs: {}, about: 'Struck through.' },
  code: { attrs: {}, about: 'Program text in a line.' },
  sup: { attrs: {}, about: 'Raised.' },
  sub: { attrs: {}, about: 'Lowered.' },
  uppercase: { attrs: {}, about: 'In capitals.' },
  link: { attrs: { href: link, title: text(300), style }, about: 'A link.' },
  textStyle: { attrs: { color, size, background }, about: 'Color, size in pixels, and color behind the text.' },
  preservedStyle: { attrs: { style }, about: 'An inline style of other editors.' },
};

function readStyles(value: unknown): unknown {
  const styles = parseStyles(value);
  return Object.keys(styles).length === 0 ? undefined : styles;
}

export const documentAttributes: Readonly<Record<string, Attribute>> = {
  lang: text(35),
  dir: oneOf('ltr', 'rtl', 'auto'),
  styles: { form: 'styles of this document on top of those of the team', read: readStyles },
};
