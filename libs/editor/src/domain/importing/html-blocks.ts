import { type DocumentMark, type DocumentNode, hasWords, trimmed } from '../document/document-node.js';
import { maxRawHtmlLength, safeHtml } from '../document/raw-html.js';
import { safeLink, safeSource } from '../document/safe-url.js';
import {
  alignmentOf,
  backgroundImageOf,
  backgroundOf,
  inlineNames,
  isBold,
  isButton,
  isHidden,
  isItalic,
  marksByName,
  rawNames,
  styleOf,
} from './element-style.js';
import { HtmlElement, HtmlNode, isNamed, textOf } from './html-tree.js';
import { besideEachOther, LayoutRow, rowsOf } from './layout.js';
import { isNumbered, WordItem, wordItems, withoutSign } from './word-lists.js';

/** Boxes in boxes of an imported layout. Documents may be 24 nodes deep. */
export const maxBoxes = 5;
const maxPreviewText = 300;
/** Longer ones are columns of text. */
const maxCellText = 80;

/** Makes blocks of the elements of html: what is understood becomes blocks, and what is not stays html. */
export class HtmlBlocks {
  readonly notes = new Set<string>();
  readonly attrs: { lang?: string; dir?: string } = {};
  /** The first hidden text is what lists show behind the subject. */
  previewText = '';
  private hasOtherDirection = false;
  /** The link around the blocks that are read. */
  private around: readonly DocumentMark[] = [];
  private readonly inlineElements = new Set<HtmlElement>();

  /** @param root all elements of the html, also those that are given to `blocks` */
  constructor(
    private readonly html: string,
    private readonly root: HtmlElement,
  ) {
    this.learn(root);
  }

  /** Notes which elements have nothing but text in them, once for all. */
  private learn(element: HtmlElement): boolean {
    if (element.name === 'html' || element.name === 'mjml') {
      const { attrs } = element;
      const lang = attrs.get('lang') ?? '';
      if (/^[a-z]{2,3}(?:-[a-z\d]{1,8}){0,3}$/i.test(lang)) this.attrs.lang = lang;
    }
    if (element.attrs.get('dir')?.toLowerCase() === 'rtl') this.turn(element);
    let isInline = inlineNames.has(element.name);
    for (const child of element.children) if (typeof child !== 'string' && !this.learn(child)) isInline = false;
    if (isInline) this.inlineElements.add(element);
    return isInline;
  }

  /** A document has one direction: that of an element with most of its words. */
  private turn(element: HtmlElement): void {
    if (this.attrs.dir === 'rtl' || this.hasOtherDirection) return;
    const isMost = element.name === 'html' || textOf(element).length * 2 > textOf(this.root).length;
    if (isMost) this.attrs.dir = 'rtl';
    else {
      this.hasOtherDirection = true;
      this.notes.add(
        'A part is written from right to left (`dir="rtl"`). An email has one direction, so it was left out.',
      );
    }
  }

  private isInline(node: HtmlNode): boolean {
    return typeof node === 'string' || (this.inlineElements.has(node) && !isButton(node));
  }

  blocks(nodes: readonly HtmlNode[], boxes: number, alignment: string | undefined): DocumentNode[] {
    const blocks: DocumentNode[] = [];
    let run: HtmlNode[] = [];
    const flush = (): void => {
      const content = trimmed(this.inline(run, this.around));
      if (hasWords(content)) blocks.push(block('paragraph', { alignment }, content));
      run = [];
    };
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at] as HtmlNode;
      const beside = boxes > maxBoxes - 2 ? [] : besideEachOther(nodes, at);
      if (beside.length > 1) {
        flush();
        const cells = beside.map(({ element }) => element);
        blocks.push(...this.columns(cells, boxes, alignment));
        at = beside.at(-1)?.at ?? at;
        continue;
      }
      if (this.isInline(node)) {
        run.push(node);
        continue;
      }
      flush();
      const items = wordItems(nodes, at, (each) => this.isInline(each));
      if (items.length > 0) {
        blocks.push(...this.wordList(items, boxes));
        at = items.at(-1)?.at ?? at;
        continue;
      }
      blocks.push(...this.element(node as HtmlElement, boxes, alignment));
    }
    flush();
    return blocks;
  }

  private element(element: HtmlElement, boxes: number, around: string | undefined): readonly DocumentNode[] {
    if (isHidden(element)) {
      this.hidden(element);
      return [];
    }
    const { name, children } = element;
    const alignment = alignmentOf(element) ?? around;
    switch (name) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return this.words('heading', { level: Number(name[1]), alignment }, element, boxes);
      case 'p':
        return this.words('paragraph', { alignment }, element, boxes);
      case 'ul':
      case 'ol':
        return this.list(element, boxes);
      case 'blockquote': {
        const content = this.blocks(children, boxes + 1, undefined);
        return content.length === 0 || boxes > maxBoxes ? content : [block('blockquote', {}, content)];
      }
      case 'pre': {
        const text = textOf(element).replace(/^\n|\n$/g, '');
        return text === '' ? [] : [block('codeBlock', {}, [{ type: 'text', text }])];
      }
      case 'hr':
        return [block('horizontalRule', {})];
      case 'img':
        return this.image(element, undefined, alignment);
      case 'a':
        // The text within a button is centered, which does not place the button.
        return this.link(element, boxes, around);
      case 'table':
        // `align` of a cell does not reach into the tables in it.
        return this.table(element, boxes, styleOf(element).get('text-align') === 'center' ? 'center' : undefined);
      default:
        if (rawNames.has(name)) return this.raw(element);
        return this.box(element, boxes, (inside) => this.blocks(children, inside, alignment));
    }
  }

  /** A heading or a paragraph. Images and buttons in it stand below it. */
  private words(
    type: string,
    attrs: Readonly<Record<string, unknown>>,
    { children }: HtmlElement,
    boxes: number,
  ): readonly DocumentNode[] {
    if (!children.every((child) => this.isInline(child)))
      return this.blocks(children, boxes, attrs.alignment as string | undefined);
    const content = trimmed(this.inline(children, this.around));
    return hasWords(content) ? [block(type, attrs, content)] : [];
  }

  private wordList(items: readonly WordItem[], boxes: number): readonly DocumentNode[] {
    const paragraphs = items.map(({ element }) =>
      block('paragraph', {}, trimmed(withoutSign(this.inline(element.children, this.around)))),
    );
    if (boxes > maxBoxes) return paragraphs;
    const content = paragraphs.map((paragraph) => block('listItem', {}, [paragraph]));
    return [block(isNumbered(items) ? 'orderedList' : 'bulletList', {}, content)];
  }

  private list({ name, attrs, children }: HtmlElement, boxes: number): readonly DocumentNode[] {
    const items = children.flatMap((child) => {
      const inside = typeof child !== 'string' && child.name === 'li' ? child.children : [child];
      const content = this.blocks(inside, boxes + 1, undefined);
      return content.length === 0 ? [] : [block('listItem', {}, content)];
    });
    if (boxes > maxBoxes) return items.flatMap(({ content = [] }) => content);
    if (items.length === 0) return [];
    const start = Number(attrs.get('start') ?? 1);
    const isCounted = name === 'ol' && Number.isInteger(start) && start >= 0 && start <= 9_999 && start !== 1;
    return [block(name === 'ol' ? 'orderedList' : 'bulletList', { start: isCounted ? start : undefined }, items)];
  }

  private link(element: HtmlElement, boxes: number, alignment: string | undefined): readonly DocumentNode[] {
    const href = this.href(element.attrs.get('href'));
    const [only, ...others] = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
    if (only !== undefined && typeof only !== 'string' && only.name === 'img' && others.length === 0) {
      return this.image(only, href, alignment);
    }
    const label = textOf(element).replace(/\s+/g, ' ').trim();
    if (isButton(element) && label !== '' && label.length <= 120) {
      if (/<img\b/i.test(this.html.slice(element.start, element.end)))
        this.notes.add('An image in a button was left out.');
      return [block('button', { href, alignment }, [{ type: 'text', text: label }])];
    }
    const outside = this.around;
    if (href !== undefined) this.around = [{ type: 'link', attrs: { href } }];
    const blocks = this.blocks(element.children, boxes, alignment);
    this.around = outside;
    return blocks;
  }

  private image(
    { attrs }: HtmlElement,
    href: unknown = this.around[0]?.attrs?.href,
    alignment?: string,
  ): readonly DocumentNode[] {
    const [width, height] = ['width', 'height'].map((name) => Number.parseInt(attrs.get(name) ?? '', 10));
    // A picture of one pixel counts openings.
    if ((width ?? NaN) <= 2 || (height ?? NaN) <= 2) return [];
    const src = safeSource(attrs.get('src') ?? '');
    if (src === undefined || src === '') {
      this.notes.add('An image without an address on the web was left out.');
      return [];
    }
    const alt = (attrs.get('alt') ?? '').slice(0, 500);
    const isPixels = width !== undefined && width > 2 && !(attrs.get('width') ?? '').includes('%');
    return [
      block('image', { src, alt: alt === '' ? undefined : alt, width: isPixels ? width : undefined, alignment, href }),
    ];
  }

  table(element: HtmlElement, boxes: number, alignment: string | undefined): readonly DocumentNode[] {
    const rows = rowsOf(element);
    const captions = this.blocks(
      element.children.filter((child) => isNamed(child, 'caption')),
      boxes,
      undefined,
    );
    if (this.isData(element, rows) && boxes <= maxBoxes) {
      const rowOf = (cells: readonly HtmlElement[]) => cells.map((cell) => this.cell(cell));
      const content = rows.map(({ cells }) => block('tableRow', {}, rowOf(cells)));
      return [...captions, block('table', {}, content)];
    }
    // Cells of a layout that are beside each other are columns.
    const layout = this.box(element, boxes, (inTable) =>
      rows.flatMap(({ row, cells }) => this.box(row, inTable, (inRow) => this.columns(cells, inRow, alignment))),
    );
    return [...captions, ...layout];
  }

  /** Html has tables for layouts too. MJML has other elements for these. */
  private isData({ name, attrs }: HtmlElement, rows: readonly LayoutRow[]): boolean {
    const isOfMjml = name === 'mj-table';
    const least = isOfMjml ? 1 : 2;
    return (
      attrs.get('role') !== 'presentation' &&
      rows.length >= least &&
      rows.every(({ cells }) => cells.length >= least && cells.length <= 20) &&
      rows.every(({ cells }) => cells.every((cell) => this.isOfWords(cell))) &&
      (isOfMjml ||
        rows.every(({ cells }) => cells.every((cell) => cell.name === 'th' || textOf(cell).length <= maxCellText)))
    );
  }

  private isOfWords({ children }: HtmlElement): boolean {
    return children.every(
      (child) =>
        this.isInline(child) ||
        (typeof child !== 'string' && child.name === 'p' && child.children.every((each) => this.isInline(each))),
    );
  }

  private cell(cell: HtmlElement): DocumentNode {
    const content = this.blocks(cell.children, maxBoxes, undefined);
    const type = cell.name === 'th' ? 'tableHeader' : 'tableCell';
    return block(type, { alignment: alignmentOf(cell) }, content.length === 0 ? [block('paragraph', {})] : content);
  }

  private columns(
    cells: readonly HtmlElement[],
    boxes: number,
    alignment: string | undefined,
  ): readonly DocumentNode[] {
    const isWide = cells.length > 1;
    const filled = cells
      .filter((cell) => !isHidden(cell))
      .map((cell) =>
        this.box(cell, boxes + (isWide ? 2 : 0), (inside) =>
          this.blocks(cell.children, inside, alignmentOf(cell) ?? alignment),
        ),
      )
      .filter((content) => content.length > 0);
    const type = { 2: 'twoColumns', 3: 'threeColumns', 4: 'fourColumns' }[filled.length];
    if (type === undefined || boxes > maxBoxes - 2) return filled.flat();
    return [
      block(
        type,
        {},
        filled.map((content) => block('columnsColumn', {}, content)),
      ),
    ];
  }

  /** A section where the element has a color or an image of its own behind it. */
  private box(
    element: HtmlElement,
    boxes: number,
    contentIn: (boxes: number) => readonly DocumentNode[],
  ): readonly DocumentNode[] {
    const isDeep = boxes > maxBoxes - 2;
    const background = isDeep ? undefined : backgroundOf(element);
    const image = backgroundImageOf(element) || undefined;
    const hasLook = !isDeep && (background ?? image) !== undefined;
    const content = contentIn(hasLook ? boxes + 1 : boxes);
    const [only] = content;
    if (image !== undefined && (isDeep || content.length === 0)) {
      this.notes.add('A background image with nothing in front of it, or too deep in the layout, was left out.');
    }
    if (!hasLook || content.length === 0) return content;
    // The color around a button is that of the button.
    if (content.length === 1 && only?.type === 'button') return content;
    if (content.length === 1 && only?.type === 'section' && image === undefined) return content;
    return [block('section', { background, image }, content)];
  }

  /** A part of the html as it is. */
  raw({ name, start, end }: Pick<HtmlElement, 'name' | 'start' | 'end'>): readonly DocumentNode[] {
    const html = this.html.slice(start, end).trim();
    if (html.length > maxRawHtmlLength || safeHtml(html).html === '') {
      this.notes.add(`\`<${name}>\` was left out.`);
      return [];
    }
    this.notes.add(`\`<${name}>\` is kept as html.`);
    return [block('html', { html })];
  }

  private hidden(element: HtmlElement): void {
    if (this.previewText !== '') return;
    const text = textOf(element)
      .replace(/[\s\u00a0\u00ad\u034f\u200a-\u200f\u2007\ufeff]+/g, ' ')
      .trim();
    this.previewText = text.length <= maxPreviewText ? text : '';
  }

  href(given = ''): string | undefined {
    const href = safeLink(given);
    if (href === undefined) this.notes.add('A link that no email may have was left out.');
    return href === '' ? undefined : href;
  }

  inline(nodes: readonly HtmlNode[], marks: readonly DocumentMark[]): DocumentNode[] {
    return nodes.flatMap((node) => {
      if (typeof node === 'string') {
        const text = node.replace(/[ \t\r\n\f]+/g, ' ');
        return text === '' ? [] : [marks.length === 0 ? { type: 'text', text } : { type: 'text', text, marks }];
      }
      if (node.name === 'br') return [{ type: 'hardBreak' }];
      if (isHidden(node)) {
        this.hidden(node);
        return [];
      }
      return this.inline(node.children, this.marksOf(node, marks));
    });
  }

  private marksOf(element: HtmlElement, around: readonly DocumentMark[]): readonly DocumentMark[] {
    const marks = [...around];
    const add = (type: string, attrs?: Readonly<Record<string, unknown>>): void => {
      if (!marks.some((mark) => mark.type === type)) marks.push(attrs === undefined ? { type } : { type, attrs });
    };
    if (isBold(element)) add('bold');
    if (isItalic(element)) add('italic');
    if (styleOf(element).get('text-transform') === 'uppercase') add('uppercase');
    const byName = marksByName[element.name];
    if (byName !== undefined) add(byName);
    const href = element.name === 'a' ? this.href(element.attrs.get('href')) : undefined;
    if (href !== undefined) add('link', { href });
    return marks;
  }
}

export function block(
  type: string,
  attrs: Readonly<Record<string, unknown>>,
  content?: readonly DocumentNode[],
): DocumentNode {
  // Left is usual.
  const known = Object.fromEntries(
    Object.entries(attrs).filter(([, value]) => value !== undefined && value !== 'left'),
  );
  return {
    type,
    ...(Object.keys(known).length === 0 ? {} : { attrs: known }),
    ...(content === undefined ? {} : { content }),
  };
}
