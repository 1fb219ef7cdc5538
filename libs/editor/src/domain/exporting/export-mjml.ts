import { columnCounts } from '../document/schema.js';
import type { DocumentNode, EmailDocument } from '../document/document-node.js';
import { columnWidths, onBackground } from '../rendering/boxes.js';
import { BlockPlace, escaped, numberAttr, spaceBelow, textAttr, underPicture } from '../rendering/markup.js';
import {
  BlockRenderer,
  footerWidth,
  previewOf,
  RenderOptions,
  unseen,
  unwrapped,
  withFooter,
} from '../rendering/render-document.js';
import { fontStack, TeamStyles } from '../styles/team-styles.js';
import { ItemPlace, MjmlItems, tagsAround } from './mjml-items.js';
import { mjmlBox, mjmlTag, MjmlValues } from './mjml-markup.js';

/**
 * A document that was checked as MJML, in the styles that apply to it. Its merge tags, conditions and lists stay as they are in its
 * html. Colors for the dark and rounded corners of the content have no counterpart. Pure, and linear in the size of the document.
 */
export function exportMjml(document: EmailDocument, options: RenderOptions): string {
  const lang = textAttr(document.attrs, 'lang') || 'en';
  const writer = new MjmlWriter(options, lang);
  const dir = textAttr(document.attrs, 'dir');
  const { styles } = options;
  const blocks = unwrapped(withFooter(document, options.kind)).filter(({ type }) => !unseen.has(type));
  const body = { 'background-color': styles.background, width: styles.width };
  const lines = [head(styles, previewOf(document.content)), mjmlBox('mj-body', body, writer.body(blocks))];
  return `${mjmlBox('mjml', { lang, dir: dir === 'auto' ? '' : dir }, lines)}\n`;
}

function head(styles: TeamStyles, preview: string): string {
  const text = {
    'font-size': styles.fontSize,
    'line-height': Math.round(styles.fontSize * styles.lineHeight),
    color: styles.text,
  };
  const padding = '0';
  const defaults = [
    mjmlTag('mj-all', { 'font-family': fontStack(styles.font) }),
    mjmlTag('mj-text', { ...text, padding }),
    mjmlTag('mj-table', { ...text, padding }),
    mjmlTag('mj-button', { 'font-weight': '600', padding }),
    ...['mj-image', 'mj-divider', 'mj-social', 'mj-navbar'].map((name) => mjmlTag(name, { padding })),
    ...['mj-section', 'mj-wrapper'].map((name) => mjmlTag(name, { 'background-color': styles.content, padding })),
  ];
  return mjmlBox('mj-head', {}, [
    preview === '' ? '' : mjmlTag('mj-preview', {}, escaped(preview)),
    mjmlBox('mj-attributes', {}, defaults),
  ]);
}

/** Where sections stand: on the content, or in a box of it. */
interface Ground {
  readonly place: BlockPlace;
  /** Pixels around all sections together. */
  readonly vertical: number;
  readonly sides: number;
  readonly isTop: boolean;
}

/** A row knows its neighbours only once all lines are there. Tags show nothing. */
type Line =
  | { readonly kind: 'box'; readonly text: string }
  | { readonly kind: 'tag'; readonly text: string }
  | { readonly kind: 'row'; readonly write: (place: BlockPlace, above: number, below: number) => string };

class MjmlWriter {
  private readonly items: MjmlItems;
  private readonly place: BlockPlace;

  constructor(
    private readonly options: RenderOptions,
    lang: string,
  ) {
    const renderer = new BlockRenderer(options, lang);
    this.items = new MjmlItems(renderer);
    // MJML has its own shapes for Outlook, and no colors for the dark.
    this.place = { ...renderer.place, hasDark: false, isInShape: true };
  }

  body(blocks: readonly DocumentNode[]): readonly string[] {
    const { padding, width } = this.options.styles;
    const last = blocks.at(-1);
    const content = last?.type === 'footer' ? blocks.slice(0, -1) : blocks;
    const ground = {
      place: { ...this.place, width: width - 2 * padding },
      vertical: Math.max(24, padding),
      sides: padding,
      isTop: true,
    };
    const lines = this.sections(content, ground);
    return last?.type === 'footer' ? [...lines, this.footer(last)] : lines;
  }

  private sections(blocks: readonly DocumentNode[], ground: Ground): readonly string[] {
    const lines = this.lines(blocks, ground);
    const shown = lines.filter(({ kind }) => kind !== 'tag');
    let at = 0;
    return lines.map((line) => {
      if (line.kind === 'tag') return line.text;
      const [before, after] = [shown[at - 1], shown[at + 1]];
      at++;
      if (line.kind === 'box') return line.text;
      const [isFirst, isLast] = [before?.kind !== 'row', after?.kind !== 'row'];
      const place = { ...ground.place, isFirst, isLast };
      return line.write(place, isFirst ? ground.vertical : 0, isLast ? ground.vertical : 0);
    });
  }

  private lines(blocks: readonly DocumentNode[], ground: Ground): Line[] {
    const lines: Line[] = [];
    let run: DocumentNode[] = [];
    const flush = (): void => {
      const nodes = run;
      if (nodes.length > 0) lines.push({ kind: 'row', write: (...at) => this.texts(nodes, ground, ...at) });
      run = [];
    };
    for (const block of blocks) {
      if (Object.hasOwn(columnCounts, block.type)) {
        flush();
        lines.push({ kind: 'row', write: (...at) => this.columns(block, ground, ...at) });
      } else if (block.type === 'conditional' || block.type === 'repeat') {
        flush();
        const inner = this.lines(unwrapped(block.content ?? []), ground);
        const tags = inner.length === 0 ? undefined : tagsAround(block);
        if (tags !== undefined) inner.unshift({ kind: 'tag', text: tags[0] });
        for (const line of inner) lines.push(line);
        if (tags !== undefined) lines.push({ kind: 'tag', text: tags[1] });
      } else if (ground.isTop && block.type === 'section') {
        flush();
        lines.push({ kind: 'box', text: this.wrapper(block) });
      } else if (ground.isTop && block.type === 'image' && block.attrs?.fullWidth === true) {
        flush();
        lines.push({ kind: 'box', text: this.picture(block) });
      } else run.push(block);
    }
    flush();
    return lines;
  }

  private texts(
    nodes: readonly DocumentNode[],
    { sides, isTop }: Ground,
    place: BlockPlace,
    above: number,
    below: number,
  ): string {
    const column = mjmlBox('mj-column', {}, this.items.items(nodes, { ...place, inset: 0 }));
    return mjmlBox('mj-section', sectionValues(isTop, above, sides, below), [column]);
  }

  private columns(
    node: DocumentNode,
    { sides, isTop }: Ground,
    place: BlockPlace,
    above: number,
    below: number,
  ): string {
    const { attrs, content = [] } = node;
    const gap = numberAttr(attrs, 'gap') ?? 24;
    const widths = columnWidths(content, place.width - gap * Math.max(0, content.length - 1));
    const columns = content.map((column, no) => {
      const left = no === 0 ? 0 : gap / 2;
      const right = no === content.length - 1 ? 0 : gap / 2;
      const inside = widths[no] as number;
      const values = {
        // Rounded up, they would not fit beside each other.
        width: `${Math.floor(((inside + left + right) / place.width) * 10_000) / 100}%`,
        'vertical-align': textAttr(column.attrs, 'verticalAlign') || textAttr(attrs, 'verticalAlign') || 'top',
        padding: gap === 0 ? undefined : `0 ${Math.floor(right)}px 0 ${Math.floor(left)}px`,
      };
      return this.column(column, values, { ...place, width: inside, isFirst: true, isLast: true });
    });
    const space = spaceBelow(node, place, 24);
    const row = attrs?.stack === false ? [mjmlBox('mj-group', {}, columns)] : columns;
    return mjmlBox('mj-section', sectionValues(isTop, above, sides, below + space), row);
  }

  private column({ attrs, content }: DocumentNode, around: MjmlValues, place: BlockPlace): string {
    const background = textAttr(attrs, 'background');
    const border = textAttr(attrs, 'borderColor');
    const inset = numberAttr(attrs, 'padding') ?? (background === '' && border === '' ? 0 : 20);
    const within: ItemPlace = {
      ...onBackground(place, background, '', false),
      width: Math.max(30, place.width - 2 * inset - (border === '' ? 0 : 2)),
      inset,
    };
    const values = {
      ...around,
      'inner-background-color': background,
      'inner-border': border === '' ? undefined : `1px solid ${border}`,
      'inner-border-radius': numberAttr(attrs, 'radius'),
    };
    return mjmlBox('mj-column', values, this.items.items(content, within));
  }

  /** A section of the top level. Those in other blocks are html. */
  private wrapper({ attrs, content = [] }: DocumentNode): string {
    const { styles } = this.options;
    const image = textAttr(attrs, 'image');
    const background = textAttr(attrs, 'background') || (image === '' ? '' : underPicture);
    const border = textAttr(attrs, 'borderColor');
    const borderWidth = border === '' ? 0 : (numberAttr(attrs, 'borderWidth') ?? 0);
    const isWide = attrs?.fullWidth === true;
    const usual = isWide ? 40 : background !== '' ? styles.padding : border === '' ? 0 : 24;
    const of = (side: string, otherwise: number): number => numberAttr(attrs, `padding${side}`) ?? otherwise;
    const [top, right, bottom, left] = [
      of('Top', usual),
      of('Right', styles.padding),
      of('Bottom', usual),
      of('Left', styles.padding),
    ];
    const values = {
      'background-color': background,
      'background-url': image,
      'background-size': image === '' ? undefined : 'cover',
      'background-position': image === '' ? undefined : 'center center',
      'background-repeat': image === '' ? undefined : 'no-repeat',
      border: borderWidth === 0 ? undefined : `${borderWidth}px solid ${border}`,
      'border-radius': numberAttr(attrs, 'radius'),
      'full-width': isWide ? 'full-width' : undefined,
      padding: `${top}px ${right}px ${bottom}px ${left}px`,
    };
    const place = {
      ...onBackground(this.place, background, textAttr(attrs, 'textColor'), false),
      width: Math.max(40, styles.width - left - right - 2 * borderWidth),
      alignment: textAttr(attrs, 'alignment') || this.place.alignment,
    };
    const ground = { place, vertical: 0, sides: 0, isTop: false };
    return mjmlBox('mj-wrapper', values, this.sections(unwrapped(content), ground));
  }

  private picture(node: DocumentNode): string {
    const place = { ...this.place, width: this.options.styles.width, isLast: true, inset: 0 };
    return mjmlBox('mj-section', {}, [mjmlBox('mj-column', {}, this.items.items([node], place))]);
  }

  private footer(node: DocumentNode): string {
    const width = Math.min(footerWidth, this.options.styles.width - 40);
    const sides = Math.floor((this.options.styles.width - width) / 2);
    const place = { ...this.place, width, alignment: 'center', isFirst: true, isLast: true, inset: 0 };
    const column = mjmlBox('mj-column', {}, this.items.items([node], place));
    return mjmlBox('mj-section', sectionValues(false, 28, sides, 32), [column]);
  }
}

/** Sections in a box, and that of the footer, show what is behind them. */
function sectionValues(isTop: boolean, above: number, sides: number, below: number): MjmlValues {
  const isBare = above === 0 && sides === 0 && below === 0;
  return {
    'background-color': isTop ? undefined : 'transparent',
    padding: isBare ? undefined : `${above}px ${sides}px ${below}px`,
  };
}
