import { socialNetworks } from '../logic/document-nodes';

export type FieldKind =
  | 'text'
  | 'textarea'
  | 'link'
  | 'image'
  | 'color'
  | 'number'
  | 'choice'
  | 'switch'
  | 'alignment'
  | 'time'
  | 'percent'
  | 'code'
  | 'rule'
  | 'links'
  | 'items';

/** A setting of a block, as the panel shows it. Labels are `editor:field.<name>`, options `editor:option.<value>`. */
export interface PanelField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly options?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** What is shown while nothing is set. */
  readonly usual?: string;
  /** Rarely needed: behind "More". */
  readonly more?: boolean;
}

const alignment: PanelField = { name: 'alignment', kind: 'alignment' };
const space: PanelField = { name: 'space', kind: 'number', min: 0, max: 200, more: true };
const radius = (max = 100): PanelField => ({ name: 'radius', kind: 'number', min: 0, max, more: true });
const color: PanelField = { name: 'color', kind: 'color' };
const size: PanelField = { name: 'size', kind: 'number', min: 8, max: 96, more: true };
const lineHeight: PanelField = { name: 'lineHeight', kind: 'number', min: 1, max: 3, more: true };
const gap: PanelField = { name: 'gap', kind: 'number', min: 0, max: 80, usual: '24' };
const verticalAlign: PanelField = { name: 'verticalAlign', kind: 'choice', options: ['top', 'middle', 'bottom'] };
const columns: readonly PanelField[] = [gap, verticalAlign, { name: 'stack', kind: 'switch', usual: 'true' }, space];
const cell: readonly PanelField[] = [alignment, { name: 'background', kind: 'color' }, color, verticalAlign];

export const panelFields: Readonly<Record<string, readonly PanelField[]>> = {
  paragraph: [alignment, color, size, lineHeight, space],
  heading: [
    { name: 'level', kind: 'choice', options: ['1', '2', '3', '4'] },
    alignment,
    color,
    size,
    lineHeight,
    space,
  ],
  bulletList: [color, size, space],
  orderedList: [{ name: 'start', kind: 'number', min: 0, max: 9_999, usual: '1' }, color, size, space],
  blockquote: [color, space],
  codeBlock: [space],
  horizontalRule: [
    color,
    { name: 'thickness', kind: 'number', min: 1, max: 20, usual: '1' },
    { name: 'width', kind: 'percent', min: 1, max: 100, usual: '100' },
    { name: 'line', kind: 'choice', options: ['solid', 'dashed', 'dotted'] },
    space,
  ],
  button: [
    { name: 'href', kind: 'link' },
    alignment,
    { name: 'size', kind: 'choice', options: ['small', 'medium', 'large'], usual: 'medium' },
    { name: 'background', kind: 'color' },
    color,
    { name: 'fullWidth', kind: 'switch' },
    { name: 'outline', kind: 'switch', more: true },
    radius(),
    space,
  ],
  image: [
    { name: 'src', kind: 'image' },
    { name: 'alt', kind: 'text' },
    { name: 'href', kind: 'link' },
    alignment,
    { name: 'width', kind: 'number', min: 1, max: 900 },
    { name: 'fullWidth', kind: 'switch' },
    radius(),
    space,
  ],
  section: [
    { name: 'background', kind: 'color' },
    { name: 'image', kind: 'image' },
    { name: 'textColor', kind: 'color' },
    alignment,
    { name: 'fullWidth', kind: 'switch' },
    { name: 'darkBackground', kind: 'color', more: true },
    { name: 'paddingTop', kind: 'number', min: 0, max: 160, more: true },
    { name: 'paddingBottom', kind: 'number', min: 0, max: 160, more: true },
    { name: 'paddingLeft', kind: 'number', min: 0, max: 160, more: true },
    { name: 'paddingRight', kind: 'number', min: 0, max: 160, more: true },
    { name: 'borderColor', kind: 'color', more: true },
    { name: 'borderWidth', kind: 'number', min: 0, max: 20, more: true },
    radius(),
    space,
  ],
  twoColumns: columns,
  threeColumns: columns,
  fourColumns: columns,
  columnsColumn: [
    { name: 'width', kind: 'percent', min: 5, max: 95 },
    { name: 'background', kind: 'color' },
    verticalAlign,
    { name: 'padding', kind: 'number', min: 0, max: 80, more: true },
    { name: 'borderColor', kind: 'color', more: true },
    radius(),
  ],
  table: [{ name: 'lines', kind: 'choice', options: ['rows', 'all', 'none'], usual: 'rows' }, size, space],
  tableCell: cell,
  tableHeader: cell,
  spacer: [{ name: 'height', kind: 'number', min: 1, max: 400, usual: '24' }],
  logo: [alignment, { name: 'width', kind: 'number', min: 16, max: 600 }, { name: 'href', kind: 'link' }, space],
  social: [
    { name: 'links', kind: 'links', options: socialNetworks },
    { name: 'look', kind: 'choice', options: ['dark', 'light', 'brand', 'text'], usual: 'dark' },
    alignment,
    { name: 'size', kind: 'number', min: 16, max: 64, usual: '28' },
    space,
  ],
  video: [
    { name: 'href', kind: 'link' },
    { name: 'src', kind: 'image' },
    { name: 'alt', kind: 'text' },
    alignment,
    { name: 'width', kind: 'number', min: 40, max: 900, more: true },
    radius(),
    space,
  ],
  menu: [
    { name: 'items', kind: 'items' },
    { name: 'separator', kind: 'text' },
    alignment,
    color,
    { name: 'size', kind: 'number', min: 8, max: 40, more: true },
    space,
  ],
  product: [
    { name: 'image', kind: 'image' },
    { name: 'title', kind: 'text' },
    { name: 'text', kind: 'textarea' },
    { name: 'price', kind: 'text' },
    { name: 'oldPrice', kind: 'text' },
    { name: 'button', kind: 'text' },
    { name: 'href', kind: 'link' },
    { name: 'layout', kind: 'choice', options: ['stacked', 'side'], usual: 'stacked' },
    { name: 'alt', kind: 'text', more: true },
    alignment,
    space,
  ],
  countdown: [
    { name: 'until', kind: 'time' },
    { name: 'expired', kind: 'text' },
    alignment,
    { name: 'background', kind: 'color' },
    color,
    space,
  ],
  conditional: [{ name: 'rule', kind: 'rule' }],
  repeat: [{ name: 'list', kind: 'text' }],
  html: [{ name: 'html', kind: 'code' }],
  footer: [
    { name: 'address', kind: 'textarea' },
    { name: 'unsubscribe', kind: 'text' },
    { name: 'alignment', kind: 'alignment', usual: 'center' },
    color,
    { name: 'size', kind: 'number', min: 8, max: 20, more: true },
  ],
  previewText: [{ name: 'text', kind: 'text' }],
  variable: [{ name: 'fallback', kind: 'text' }],
};
