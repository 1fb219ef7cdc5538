import { sectionsOf } from '#kernel';
import type { DocumentNode } from '../document/document-node.js';
import type { ParsedDocument } from '../document/parse-document.js';
import { safeSource } from '../document/safe-url.js';
import { block, HtmlBlocks, maxBoxes } from './html-blocks.js';
import { HtmlElement, HtmlNode, htmlTree, isNamed, textOf } from './html-tree.js';
import { importedDocument } from './import-html.js';
import { MjmlAttributes } from './mjml-attributes.js';
import { MjmlBlocks } from './mjml-blocks.js';
import { columnAttrs, rowsOfColumns } from './mjml-columns.js';
import { MjmlSections } from './mjml-sections.js';

const hasSectionTag = /\{\{(?:#|\/if|\/each|else\}\})/;
const maxPreviewText = 998;
/** Of the head: what they say comes from the styles of the team, or stands elsewhere. */
const unsaid = new Set(['mj-title', 'mj-font', 'mj-breakpoint', 'mj-html-attributes']);

/**
 * MJML as a document: its elements become blocks in the styles of the team, and the html in them is read as that of `importHtml`.
 * Files that it includes are not read. Throws ValidationError if there is too much of it, or nothing. Linear in its length.
 */
export function importMjml(mjml: string): ParsedDocument {
  return importedDocument('mjml', mjml, (text) => {
    const importer = new MjmlImporter(text);
    const blocks = importer.page();
    const { attrs, notes, previewText } = importer.html;
    return { blocks, attrs, notes, previewText };
  });
}

class MjmlImporter {
  readonly html: HtmlBlocks;
  private readonly root: HtmlElement;
  private readonly attributes = new MjmlAttributes();
  private readonly plain: MjmlBlocks;

  constructor(private readonly mjml: string) {
    this.root = htmlTree(mjml);
    this.html = new HtmlBlocks(mjml, this.root);
    this.plain = new MjmlBlocks(this.attributes, this.html);
  }

  page(): DocumentNode[] {
    const page = this.root.children.find((child) => isNamed(child, 'mjml')) ?? this.root;
    const { children } = page;
    for (const child of children) if (isNamed(child, 'mj-head')) this.head(child);
    return this.blocks(
      children.filter((child) => !isNamed(child, 'mj-head')),
      0,
    );
  }

  private head({ children }: HtmlElement): void {
    for (const child of children) {
      if (typeof child === 'string') continue;
      if (child.name === 'mj-preview') {
        this.html.previewText = textOf(child).replace(/\s+/g, ' ').trim().slice(0, maxPreviewText);
      } else if (child.name === 'mj-attributes') this.attributes.define(child);
      else if (child.name === 'mj-include') this.include();
      else if (!unsaid.has(child.name)) this.html.notes.add(`\`<${nameOf(child)}>\` was left out.`);
    }
  }

  private blocks(nodes: readonly HtmlNode[], boxes: number): DocumentNode[] {
    const sections = new MjmlSections();
    let html: HtmlNode[] = [];
    let columns: HtmlElement[] = [];
    const flush = (): void => {
      const inside = boxes + sections.depth;
      sections.add(...this.html.blocks(html, inside, undefined), ...this.columns(columns, inside));
      [html, columns] = [[], []];
    };
    for (const node of nodes) {
      if (typeof node === 'string' && node.trim() === '' && html.length === 0) continue;
      if (typeof node === 'string' || !isOfMjml(node)) {
        if (columns.length > 0) flush();
        html.push(node);
      } else if (node.name === 'mj-column' || node.name === 'mj-group') {
        if (html.length > 0) flush();
        columns.push(node);
      } else {
        flush();
        if (node.name !== 'mj-raw' || !sections.tag(node)) {
          sections.add(...this.element(node, boxes + sections.depth));
        }
      }
    }
    flush();
    return sections.finished();
  }

  private element(element: HtmlElement, boxes: number): readonly DocumentNode[] {
    const { name, children } = element;
    switch (name) {
      case 'mjml':
      case 'mj-body':
      case 'mj-accordion-element':
        return this.blocks(children, boxes);
      case 'mj-section':
      case 'mj-wrapper':
      case 'mj-hero':
        return this.box(element, boxes);
      case 'mj-text':
      case 'mj-accordion-text':
        return this.html.blocks(children, boxes, this.attributes.alignment(element));
      case 'mj-accordion-title':
        return this.title(element);
      case 'mj-button':
        return this.plain.button(element);
      case 'mj-image':
      case 'mj-carousel-image':
        return this.plain.image(element);
      case 'mj-divider':
        return this.plain.divider(element);
      case 'mj-spacer':
        return this.plain.spacer(element);
      case 'mj-social':
        return this.plain.social(element);
      case 'mj-navbar':
        return this.plain.menu(element);
      case 'mj-table':
        return this.html.table(element, boxes, undefined);
      case 'mj-raw':
        return this.raw(element, boxes);
      default:
        return this.other(element, boxes);
    }
  }

  private other(element: HtmlElement, boxes: number): readonly DocumentNode[] {
    const { notes } = this.html;
    switch (element.name) {
      case 'mj-include':
        this.include();
        return [];
      case 'mj-accordion':
        notes.add('The parts of an accordion stand below each other.');
        break;
      case 'mj-carousel':
        notes.add('The images of a carousel stand below each other.');
        break;
      default:
        notes.add(`\`<${nameOf(element)}>\` is not known. What is in it was kept.`);
    }
    return this.blocks(element.children, boxes);
  }

  /** A section where the element has a background or a border of its own. */
  private box(element: HtmlElement, boxes: number): readonly DocumentNode[] {
    const { attributes } = this;
    const image = safeSource(attributes.own(element, 'background-url') ?? '') || undefined;
    const look = { background: attributes.background(element), image, ...attributes.border(element) };
    const hasLook = Object.values(look).some((value) => value !== undefined);
    if (!hasLook || boxes > maxBoxes - 2) return this.blocks(element.children, boxes);
    const content = this.blocks(element.children, boxes + 1);
    if (content.length === 0) return [];
    const more = {
      radius: attributes.pixels(element, 'border-radius') || undefined,
      fullWidth: attributes.own(element, 'full-width') === 'full-width' ? true : undefined,
      ...attributes.paddings(element),
    };
    return [block('section', { ...look, ...more }, content)];
  }

  private columns(elements: readonly HtmlElement[], boxes: number): readonly DocumentNode[] {
    if (elements.length === 0) return [];
    // Columns of a group stay beside each other on phones.
    const isGrouped = elements.every(({ name }) => name === 'mj-group');
    const columns = elements.flatMap((element) => {
      const inside = element.children.filter((child): child is HtmlElement => isNamed(child, 'mj-column'));
      return element.name === 'mj-group' && inside.length > 0 ? inside : [element];
    });
    return rowsOfColumns(columns, this.attributes).flatMap((row) => this.row(row, boxes, isGrouped));
  }

  private row(row: readonly HtmlElement[], boxes: number, isGrouped: boolean): readonly DocumentNode[] {
    const isWide = row.length > 1 && boxes <= maxBoxes - 2;
    if (!isWide) return row.flatMap((column) => this.box(column, boxes));
    const filled = row
      .map((column) => ({ column, content: this.blocks(column.children, boxes + 2) }))
      .filter(({ content }) => content.length > 0);
    const type = { 2: 'twoColumns', 3: 'threeColumns', 4: 'fourColumns' }[filled.length];
    if (type === undefined) return filled.flatMap(({ content }) => content);
    const attrs = columnAttrs(
      filled.map(({ column }) => column),
      this.attributes,
    );
    const columns = filled.map(({ content }, no) => block('columnsColumn', attrs[no] ?? {}, content));
    return [block(type, { stack: isGrouped ? false : undefined }, columns)];
  }

  private title({ children }: HtmlElement): readonly DocumentNode[] {
    const blocks = this.html.blocks(children, maxBoxes, undefined);
    return blocks.map((each) => (each.type === 'paragraph' ? { ...each, type: 'heading', attrs: { level: 3 } } : each));
  }

  /** In a column, it is a row of a table. */
  private raw(element: HtmlElement, boxes: number): readonly DocumentNode[] {
    const { children, contentStart, contentEnd } = cellOf(element) ?? element;
    const html = this.mjml.slice(contentStart, contentEnd);
    if (html.trim() === '') return [];
    // A condition that is not whole would keep all others of the email from being read. It stays text.
    if (hasSectionTag.test(html) && sectionsOf(html) === undefined) return this.html.blocks(children, boxes, undefined);
    return this.html.raw({ name: element.name, start: contentStart, end: contentEnd });
  }

  private include(): void {
    this.html.notes.add('`<mj-include>` was left out, because no files are read.');
  }
}

function isOfMjml({ name }: HtmlElement): boolean {
  return name.startsWith('mj-') || name === 'mjml';
}

function nameOf({ name }: HtmlElement): string {
  return name.slice(0, 40).replaceAll('`', "'");
}

/** The only cell of the only row in the element. */
function cellOf(element: HtmlElement): HtmlElement | undefined {
  const [row, ...rows] = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  if (row === undefined || rows.length > 0 || !isNamed(row, 'tr')) return undefined;
  const [cell, ...cells] = row.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  return cell !== undefined && cells.length === 0 && isNamed(cell, 'td') ? cell : undefined;
}
