import { attributesOf, decodeHTML, decodeHTMLAttribute, HtmlVisitor, scanHtml } from '#mime';

export interface HtmlElement {
  readonly name: string;
  readonly attrs: ReadonlyMap<string, string>;
  readonly children: readonly HtmlNode[];
  /** Where it stands in the html, and where its content does. */
  readonly start: number;
  readonly contentStart: number;
  contentEnd: number;
  end: number;
}

/** Text is a string. */
export type HtmlNode = HtmlElement | string;

/** Deeper elements stand in the one at this depth. Layouts of tables in tables have about 40. */
const maxDepth = 100;
const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Of MJML. They are often written without an end. */
const mjmlVoids = new Set(
  'mj-all mj-breakpoint mj-carousel-image mj-divider mj-font mj-image mj-include mj-spacer'.split(' '),
);
const dropped = new Set('script style head title meta link noscript template base'.split(' '));
/** An element of this name ends with the next of these. */
const endedBy: Readonly<Record<string, ReadonlySet<string>>> = {
  a: new Set(['a']),
  p: new Set('p li td th tr div table ul ol h1 h2 h3 h4 h5 h6 hr blockquote pre section'.split(' ')),
  li: new Set(['li']),
  td: new Set(['td', 'th', 'tr', 'tbody']),
  th: new Set(['td', 'th', 'tr', 'tbody']),
  tr: new Set(['tr', 'tbody', 'tfoot']),
};

/** The elements of html, or of MJML, with what they contain. What is never shown is not among them. Linear in the length of the html. */
export function htmlTree(html: string): HtmlElement {
  const builder = new TreeBuilder(html);
  scanHtml(html, builder);
  return builder.root;
}

interface OpenElement extends HtmlElement {
  readonly children: HtmlNode[];
}

class TreeBuilder implements HtmlVisitor {
  readonly root: OpenElement;
  private readonly open_: OpenElement[];
  /** The number of open elements by name, so that an end without a beginning costs nothing. */
  private readonly counts = new Map<string, number>();
  private skipped: { readonly name: string; depth: number } | undefined;

  constructor(private readonly html: string) {
    this.root = {
      name: 'root',
      attrs: new Map(),
      children: [],
      start: 0,
      contentStart: 0,
      contentEnd: html.length,
      end: html.length,
    };
    this.open_ = [this.root];
  }

  text(raw: string): void {
    if (this.skipped === undefined) this.last.children.push(decodeHTML(raw));
  }

  open(name: string, attributes: string, at: number): void {
    if (this.skipped !== undefined) {
      if (this.skipped.name === name) this.skipped.depth++;
      return;
    }
    if (dropped.has(name)) {
      if (!voids.has(name)) this.skipped = { name, depth: 1 };
      return;
    }
    const start = at - name.length - 1;
    while (endedBy[this.last.name]?.has(name) === true) this.closeLast(start, start);
    const end = at + attributes.length + 1;
    const attrs = readAttributes(attributes);
    const element: OpenElement = { name, attrs, children: [], start, contentStart: end, contentEnd: end, end };
    this.last.children.push(element);
    if (isEmpty(name, attributes) || this.open_.length >= maxDepth) return;
    this.open_.push(element);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  close(name: string, at: number): void {
    if (this.skipped !== undefined) {
      if (this.skipped.name === name && --this.skipped.depth === 0) this.skipped = undefined;
      return;
    }
    if ((this.counts.get(name) ?? 0) === 0) return;
    const end = this.html.indexOf('>', at);
    while (this.closeLast(at, end === -1 ? this.html.length : end + 1) !== name);
  }

  private get last(): OpenElement {
    return this.open_[this.open_.length - 1] as OpenElement;
  }

  private closeLast(contentEnd: number, end: number): string {
    const element = this.open_.pop() as OpenElement;
    element.contentEnd = contentEnd;
    element.end = end;
    this.counts.set(element.name, (this.counts.get(element.name) ?? 1) - 1);
    return element.name;
  }
}

/** A slash at the end means something in MJML alone. */
function isEmpty(name: string, attributes: string): boolean {
  if (!name.startsWith('mj-')) return voids.has(name);
  return mjmlVoids.has(name) || attributes.trimEnd().endsWith('/');
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const attrs = new Map<string, string>();
  for (const [name, raw] of attributesOf(text)) if (!attrs.has(name)) attrs.set(name, decodeHTMLAttribute(raw));
  return attrs;
}

export function isNamed(node: HtmlNode, name: string): node is HtmlElement {
  return typeof node !== 'string' && node.name === name;
}

export function textOf(node: HtmlNode): string {
  if (typeof node === 'string') return node;
  return node.name === 'br' ? '\n' : node.children.map(textOf).join('');
}
