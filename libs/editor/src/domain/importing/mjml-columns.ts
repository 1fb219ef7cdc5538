import type { HtmlElement } from './html-tree.js';
import type { MjmlAttributes } from './mjml-attributes.js';

const maxInRow = 4;
const bodyWidth = 600;
/** Percent. The gaps between columns are part of their widths, and those in the middle have two halves. */
const equalWithin = 4;

/** Columns that stand beside each other. Those for which there is no room go into the next row, as in a browser. */
export function rowsOfColumns(
  columns: readonly HtmlElement[],
  attributes: MjmlAttributes,
): readonly (readonly HtmlElement[])[] {
  const rows: HtmlElement[][] = [];
  let room = 0;
  for (const column of columns) {
    const share = shareOf(column, attributes) ?? 100 / columns.length;
    const row = rows.at(-1);
    // Widths are rounded.
    if (row === undefined || row.length === maxInRow || share > room + 1) {
      rows.push([column]);
      room = 100 - share;
    } else {
      row.push(column);
      room -= share;
    }
  }
  return rows;
}

/** The attributes of the columns of one row. Equal widths need not be said. */
export function columnAttrs(
  columns: readonly HtmlElement[],
  attributes: MjmlAttributes,
): readonly Readonly<Record<string, unknown>>[] {
  const shares = columns.map((column) => shareOf(column, attributes));
  const isEqual = shares.every((share) => Math.abs((share ?? 0) - (shares[0] ?? 0)) < equalWithin);
  const hasWidths = !isEqual && shares.every((share) => share !== undefined);
  return columns.map((column, no) => {
    const background = attributes.background(column, 'inner-background-color') ?? attributes.background(column);
    const { borderColor = attributes.border(column).borderColor } = attributes.border(column, 'inner-border');
    const vertical = attributes.of(column, 'vertical-align');
    const radius = attributes.pixels(column, 'inner-border-radius') ?? attributes.pixels(column, 'border-radius');
    return {
      background,
      borderColor,
      radius: radius || undefined,
      verticalAlign: vertical === 'middle' || vertical === 'bottom' ? vertical : undefined,
      width: hasWidths ? `${Math.round((shares[no] as number) * 10) / 10}%` : undefined,
    };
  });
}

/** Percent of the row. */
function shareOf(column: HtmlElement, attributes: MjmlAttributes): number | undefined {
  const given = attributes.of(column, 'width') ?? '';
  const percent = /^\s*(\d{1,3}(?:\.\d{1,20})?)%\s*$/.exec(given)?.[1];
  if (percent !== undefined) return Math.min(100, Math.max(1, Number(percent)));
  const pixels = attributes.pixels(column, 'width');
  return pixels === undefined ? undefined : Math.min(100, Math.max(1, (pixels / bodyWidth) * 100));
}
