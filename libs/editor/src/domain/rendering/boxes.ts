import { DocumentNode } from '../document/document-node.js';
import { contrast, isDark, mixed, readableOn } from '../styles/colors.js';
import { fontStack, Palette, TeamStyles } from '../styles/team-styles.js';
import {
  css,
  escaped,
  forOutlook,
  layout,
  looks,
  numberAttr,
  BlockPlace,
  spaceBelow,
  textAttr,
  typography,
  underPicture,
} from './markup.js';
import { Inner, spaced } from './text-blocks.js';

interface Padding {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** The paddings of a section. Usual ones are those of the content at the top level, and smaller in other blocks. */
function paddingOf({ attrs }: DocumentNode, usual: Padding): Padding {
  const of = (side: string, otherwise: number): number => numberAttr(attrs, `padding${side}`) ?? otherwise;
  return {
    top: of('Top', usual.top),
    right: of('Right', usual.right),
    bottom: of('Bottom', usual.bottom),
    left: of('Left', usual.left),
  };
}

/**
 * A section as a cell of a table, without the table. Text in it is readable on its background, in the light and in the dark: where a
 * background of its own stays in the dark, so do the colors on it.
 */
export function sectionCell(node: DocumentNode, place: BlockPlace, usual: Padding, inner: Inner, corners = ''): string {
  const { attrs } = node;
  const padding = paddingOf(node, usual);
  const image = textAttr(attrs, 'image');
  // Where images are off, or not loaded yet, text stands on a color.
  const background = textAttr(attrs, 'background') || (image === '' ? '' : underPicture);
  const borderWidth = numberAttr(attrs, 'borderWidth') ?? 0;
  const border = textAttr(attrs, 'borderColor');
  const role = background === '' ? '' : darkRole(textAttr(attrs, 'darkBackground'), place);
  const width = Math.max(40, place.width - padding.left - padding.right - 2 * borderWidth);
  const alignment = textAttr(attrs, 'alignment');
  const within: BlockPlace = {
    ...onBackground(place, background, textAttr(attrs, 'textColor'), role !== ''),
    width,
    alignment: alignment === '' ? place.alignment : alignment,
    isInShape: place.isInShape || image !== '',
  };
  const pad = `${padding.top}px ${padding.right}px ${padding.bottom}px ${padding.left}px`;
  const style = css(
    {
      padding: image === '' ? pad : 0,
      'background-color': background,
      'background-image':
        image === ''
          ? undefined
          : `url('${escaped(image.replace(/['()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`))}')`,
      'background-size': image === '' ? undefined : 'cover',
      'background-position': image === '' ? undefined : 'center',
      border: border === '' || borderWidth === 0 ? undefined : `${borderWidth}px solid ${border}`,
      'border-radius': numberAttr(attrs, 'radius') ?? (corners === '' ? undefined : corners),
    },
    attrs?.style,
  );
  const text = typography(within, fontStack(place.styles.font));
  const content = inner(node.content, within);
  const isWide = padding.left > 20 || padding.right > 20;
  const color = `${background === '' ? '' : ` bgcolor="${background}"`}`;
  if (image === '') {
    return `<td${color}${looks(`${text};${style}`, within.hasDark && 'e-t', role, isWide && 'e-x')}>${content}</td>`;
  }
  const box = `${layout(' width="100%"')}<tr><td${looks(`${text};padding:${pad}`, isWide && 'e-x')}>${content}</td></tr></table>`;
  return (
    `<td${color} background="${escaped(image)}"${looks(style, role)}>` +
    shapeAround(box, image, background, place.width) +
    '</td>'
  );
}

export function section(node: DocumentNode, place: BlockPlace, inner: Inner): string {
  const { attrs } = node;
  const hasBox = ['background', 'image', 'borderColor'].some((name) => textAttr(attrs, name) !== '');
  const usual = hasBox ? { top: 24, right: 24, bottom: 24, left: 24 } : { top: 0, right: 0, bottom: 0, left: 0 };
  const cell = sectionCell(node, place, usual, inner);
  return spaced(
    `${layout(' width="100%"', 'border-collapse:separate')}<tr>${cell}</tr></table>`,
    spaceBelow(node, place, 24),
  );
}

/**
 * Columns that stand side by side where there is room, and below each other where there is not, also in mail programs that know no
 * media queries. Outlook on Windows gets a table.
 */
export function columns(node: DocumentNode, place: BlockPlace, inner: Inner): string {
  const { attrs, content = [] } = node;
  const gap = numberAttr(attrs, 'gap') ?? 24;
  const isStacking = attrs?.stack !== false;
  const vertical = textAttr(attrs, 'verticalAlign') || 'top';
  // What is in the columns is equally wide, not the cells: those in the middle have half a gap at both sides.
  const widths = columnWidths(content, place.width - gap * Math.max(0, content.length - 1));
  const cells = content.map((column, no) => {
    const sides = { left: no === 0 ? 0 : gap / 2, right: no === content.length - 1 ? 0 : gap / 2 };
    const inside = widths[no] as number;
    const width = inside + sides.left + sides.right;
    const box = columnBox(column, { ...place, width: inside }, inner);
    const padding = `0 ${Math.floor(sides.right)}px 0 ${Math.floor(sides.left)}px`;
    const own = textAttr(column.attrs, 'verticalAlign') || vertical;
    return { width, padding, box, vertical: own, isLast: no === content.length - 1 };
  });
  const space = spaceBelow(node, place, 24);
  const style = css({}, attrs?.style);
  if (!isStacking) {
    const row = cells.map(
      ({ width, padding, box, vertical: own }) =>
        `<td width="${percent(width, place.width)}" valign="${own}" style="width:${percent(width, place.width)};padding:${padding};vertical-align:${own}">${box}</td>`,
    );
    return spaced(`${layout(' width="100%"', style)}<tr>${row.join('')}</tr></table>`, space);
  }
  const row = cells.map(({ width, padding, box, vertical: own, isLast }, no) => {
    const cell = `<td style="padding:${padding}"${isLast ? ' class="e-c"' : ' class="e-c e-g"'}>${box}</td>`;
    const block = `<div class="e-c" style="display:inline-block;width:100%;max-width:${width}px;vertical-align:${own};font-size:${place.styles.fontSize}px">${layout(' width="100%"')}<tr>${cell}</tr></table></div>`;
    const open = `${no === 0 ? '' : '</td>'}<td width="${width}" valign="${own}">`;
    return forOutlook(no === 0 ? `${layout(` width="${place.width}"`)}<tr>${open}` : open) + block;
  });
  const all = `${row.join('')}${forOutlook('</td></tr></table>')}`;
  const cell = css({ 'font-size': 0, 'text-align': 'left' });
  return spaced(`${layout(' width="100%"', style)}<tr><td style="${cell}">${all}</td></tr></table>`, space);
}

function columnBox(column: DocumentNode, place: BlockPlace, inner: Inner): string {
  const { attrs } = column;
  const background = textAttr(attrs, 'background');
  const border = textAttr(attrs, 'borderColor');
  const padding = numberAttr(attrs, 'padding') ?? (background === '' && border === '' ? 0 : 20);
  const within = {
    ...onBackground(place, background, '', false),
    width: Math.max(30, Math.floor(place.width - 2 * padding - (border === '' ? 0 : 2))),
  };
  const style = css(
    {
      padding: padding === 0 ? 0 : `${padding}px`,
      'background-color': background,
      border: border === '' ? undefined : `1px solid ${border}`,
      'border-radius': numberAttr(attrs, 'radius'),
      'word-break': 'break-word',
    },
    attrs?.style,
  );
  const text = typography(within, fontStack(place.styles.font));
  const color = background === '' ? '' : ` bgcolor="${background}"`;
  const cell = `<td${color}${looks(`${text};${style}`, within.hasDark && 'e-t')}>${inner(column.content, within)}</td>`;
  return `${layout(' width="100%"', 'border-collapse:separate')}<tr>${cell}</tr></table>`;
}

/** Whole pixels that together fill the row. Columns without a width share what the others leave. */
export function columnWidths(content: readonly DocumentNode[], width: number): readonly number[] {
  const given = content.map(({ attrs }) => {
    const own = attrs?.width;
    if (typeof own === 'number') return own / width;
    return typeof own === 'string' ? Number.parseFloat(own) / 100 : undefined;
  });
  const taken = given.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const open = given.filter((share) => share === undefined).length;
  const left = open === 0 ? 0 : Math.max(0.1 * open, 1 - taken) / open;
  const shares = given.map((share) => share ?? left);
  const sum = shares.reduce((total, share) => total + share, 0) || 1;
  const pixels = shares.map((share) => Math.max(10, Math.floor((share / sum) * width)));
  const rest = width - pixels.reduce((total, each) => total + each, 0);
  return pixels.map((each, no) => (no === pixels.length - 1 ? Math.max(10, each + rest) : each));
}

export function table(node: DocumentNode, place: BlockPlace, inner: Inner): string {
  const style = css({ 'border-collapse': 'collapse' }, node.attrs?.style);
  const open = `<table border="0" cellpadding="0" cellspacing="0" width="100%" style="${style}">`;
  return spaced(`${open}${tableRows(node, place, inner)}</table>`, spaceBelow(node, place, place.styles.fontSize));
}

/** A table of data without the element around it. */
export function tableRows({ attrs, content = [] }: DocumentNode, place: BlockPlace, inner: Inner): string {
  const { styles, palette, hasDark } = place;
  const lines = textAttr(attrs, 'lines') || 'rows';
  const size = numberAttr(attrs, 'size') ?? styles.fontSize;
  const count = Math.max(1, ...content.map((row) => row.content?.length ?? 0));
  const rows = content.map((row) => {
    const background = textAttr(row.attrs, 'background');
    const cells = (row.content ?? []).map((cell, no, { length }) => {
      const right = no === length - 1 ? '0' : '12px';
      const isHeader = cell.type === 'tableHeader';
      const own = { ...textAttrs(cell), background: textAttr(cell.attrs, 'background') || background };
      const within: BlockPlace = {
        ...onBackground(place, own.background, own.color, false),
        width: Math.max(30, Math.floor(place.width / count) - 20),
        alignment: own.alignment || 'left',
      };
      const style = css(
        {
          padding: lines === 'none' ? `6px ${right} 6px 0` : lines === 'rows' ? `10px ${right} 10px 0` : '10px 12px',
          'border-bottom': lines === 'rows' ? `1px solid ${palette.line}` : undefined,
          border: lines === 'all' ? `1px solid ${palette.line}` : undefined,
          'background-color': own.background,
          'font-weight': isHeader ? '600' : undefined,
          'vertical-align': own.verticalAlign || 'top',
        },
        cell.attrs?.style,
      );
      const text = typography(within, fontStack(styles.font), size);
      const span = numberAttr(cell.attrs, 'colspan') ?? 1;
      const width = textAttr(cell.attrs, 'width') || (numberAttr(cell.attrs, 'width') ?? '');
      const head = `<${isHeader ? 'th scope="col"' : 'td'} align="${within.alignment}"${span > 1 ? ` colspan="${span}"` : ''}${width === '' ? '' : ` width="${width}"`}`;
      return `${head}${looks(`${text};${style}`, within.hasDark && 'e-t', hasDark && lines !== 'none' && 'e-l')}>${inner(cell.content, within)}</${isHeader ? 'th' : 'td'}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return rows.join('');
}

function textAttrs({ attrs }: DocumentNode): { color: string; alignment: string; verticalAlign: string } {
  return {
    color: textAttr(attrs, 'color'),
    alignment: textAttr(attrs, 'alignment'),
    verticalAlign: textAttr(attrs, 'verticalAlign'),
  };
}

/** The place on a background: its colors are those that can be read there. */
export function onBackground(place: BlockPlace, background: string, textColor: string, isDarkToo: boolean): BlockPlace {
  if (background === '' && textColor === '') return place;
  const { styles } = place;
  const ground = background === '' ? place.palette.content : background;
  const palette = textColor === '' ? readablePalette(ground, styles) : paletteOf(ground, textColor, styles);
  return { ...place, palette, hasDark: isDarkToo };
}

function readablePalette(ground: string, styles: TeamStyles): Palette {
  const dark = isDark(ground);
  const read = (color: string): string => readableOn(ground, color);
  const hasButton = contrast(styles.button, ground) >= 1.8;
  return {
    background: ground,
    content: ground,
    text: dark ? read(mixed('#ffffff', ground, 0.12)) : read(styles.text),
    heading: dark ? '#ffffff' : read(styles.heading),
    muted: dark ? readableOn(ground, mixed('#ffffff', ground, 0.35)) : read(styles.muted),
    link: dark ? readableOn(ground, mixed(styles.link, '#ffffff', 0.5)) : read(styles.link),
    line: mixed(ground, dark ? '#ffffff' : '#000000', 0.16),
    button: hasButton ? styles.button : dark ? '#ffffff' : '#16171c',
    buttonText: hasButton ? styles.buttonText : dark ? readableOn('#ffffff', ground) : '#ffffff',
  };
}

function paletteOf(ground: string, text: string, styles: TeamStyles): Palette {
  return { ...readablePalette(ground, styles), text, heading: text, muted: mixed(text, ground, 0.3), link: text };
}

/** A class for a background of its own in the dark; empty if there is none. */
function darkRole(color: string, { darkRules }: BlockPlace): string {
  if (color === '') return '';
  const rule = `{background-color:${color}!important;background-image:none!important}`;
  const known = darkRules.indexOf(rule);
  return `e-s${known === -1 ? darkRules.push(rule) : known + 1}`;
}

/** Word draws no background images; a shape that holds the content does. */
function shapeAround(content: string, image: string, color: string, width: number): string {
  const fill = `<v:fill type="frame" src="${escaped(image)}"${color === '' ? '' : ` color="${color}"`} />`;
  const open = `<v:rect xmlns:v="urn:schemas-microsoft-com:vml" fill="true" stroke="false" style="width:${width}px">${fill}<v:textbox inset="0,0,0,0" style="mso-fit-shape-to-text:true">`;
  return `${forOutlook(open)}<div>${content}</div>${forOutlook('</v:textbox></v:rect>')}`;
}

function percent(width: number, whole: number): string {
  return `${Math.round((width / whole) * 1_000) / 10}%`;
}
