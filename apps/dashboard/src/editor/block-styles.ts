import { buttonSizes, underPicture } from '../logic/email-looks';
import { variablesOn } from '../logic/email-styles';

type Attrs = Readonly<Record<string, unknown>>;
type Css = Record<string, string | number | undefined>;

const px = (value: unknown): string | undefined => (typeof value === 'number' ? `${value}px` : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The inline style of a block on the canvas: what the block says itself. Everything else is in the style sheet. */
export function styleOfBlock(type: string, attrs: Attrs): string {
  const css: Css = {
    'text-align': type === 'image' || type === 'button' ? undefined : text(attrs.alignment),
    'margin-bottom': px(attrs.space),
    ...ownStyle(type, attrs),
  };
  const declared = Object.entries(css)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`);
  return [...declared, ...(text(attrs.style) === undefined ? [] : [attrs.style as string])].join(';');
}

function ownStyle(type: string, attrs: Attrs): Css {
  switch (type) {
    case 'paragraph':
    case 'heading':
    case 'bulletList':
    case 'orderedList':
      return {
        color: text(attrs.color),
        'font-size': px(attrs.size),
        'line-height': attrs.lineHeight as number | undefined,
      };
    case 'blockquote':
      return { 'border-left-color': text(attrs.color) };
    case 'textStyle':
      return { color: text(attrs.color), 'font-size': px(attrs.size), 'background-color': text(attrs.background) };
    case 'button':
      return buttonStyle(attrs);
    case 'section':
      return sectionStyle(attrs);
    case 'columnsColumn':
      return columnStyle(attrs);
    case 'twoColumns':
    case 'threeColumns':
    case 'fourColumns':
      return { gap: px(attrs.gap ?? 24), 'align-items': alignOf(attrs.verticalAlign) };
    case 'table':
      return { '--e-cell-line': attrs.lines === 'none' ? 'transparent' : undefined };
    case 'tableRow':
      return { 'background-color': text(attrs.background) };
    case 'tableCell':
    case 'tableHeader':
      return {
        'background-color': text(attrs.background),
        'vertical-align': text(attrs.verticalAlign),
        ...variablesOn(text(attrs.background) ?? '', text(attrs.color) ?? ''),
      };
    case 'footer':
      return { 'font-size': px(attrs.size), '--e-muted': text(attrs.color) };
    default:
      return {};
  }
}

function buttonStyle(attrs: Attrs): Css {
  const [font, vertical, horizontal] = buttonSizes[text(attrs.size) ?? 'medium'] ?? [15, 12, 24];
  const alignment = text(attrs.alignment);
  return {
    '--b-fill': text(attrs.background),
    '--b-text': text(attrs.color) ?? (text(attrs.background) === undefined ? undefined : '#ffffff'),
    '--b-radius': px(attrs.radius),
    '--b-width': attrs.fullWidth === true ? '100%' : undefined,
    '--b-size': `${font}px`,
    '--b-pad': `${vertical}px ${horizontal}px`,
    '--b-outline': attrs.outline === true ? '1' : undefined,
    'margin-left': alignment === 'center' || alignment === 'right' ? 'auto' : alignment === 'left' ? '0' : undefined,
    'margin-right': alignment === 'center' || alignment === 'left' ? 'auto' : alignment === 'right' ? '0' : undefined,
  };
}

function sectionStyle(attrs: Attrs): Css {
  const image = text(attrs.image);
  const background = text(attrs.background) ?? (image === undefined ? undefined : underPicture);
  const hasBox = background !== undefined || text(attrs.borderColor) !== undefined;
  return {
    ...variablesOn(background ?? '', text(attrs.textColor) ?? ''),
    '--s-box': hasBox ? '1' : undefined,
    'background-color': background,
    'background-image':
      image === undefined || !isShown(image) ? undefined : `url("${shownSource(image).replaceAll('"', '')}")`,
    'padding-top': px(attrs.paddingTop),
    'padding-right': px(attrs.paddingRight),
    'padding-bottom': px(attrs.paddingBottom),
    'padding-left': px(attrs.paddingLeft),
    'border-radius': px(attrs.radius),
    border:
      text(attrs.borderColor) === undefined || typeof attrs.borderWidth !== 'number'
        ? undefined
        : `${attrs.borderWidth}px solid ${text(attrs.borderColor)}`,
  };
}

function columnStyle(attrs: Attrs): Css {
  const background = text(attrs.background);
  const border = text(attrs.borderColor);
  const width = attrs.width;
  return {
    ...variablesOn(background ?? '', ''),
    flex: typeof width === 'string' ? `0 1 ${width}` : typeof width === 'number' ? `0 1 ${width}px` : undefined,
    'background-color': background,
    padding: px(attrs.padding) ?? (background === undefined && border === undefined ? undefined : '20px'),
    border: border === undefined ? undefined : `1px solid ${border}`,
    'border-radius': px(attrs.radius),
    'align-self': text(attrs.verticalAlign) === undefined ? undefined : alignOf(attrs.verticalAlign),
  };
}

function alignOf(value: unknown): string | undefined {
  if (value === 'middle') return 'center';
  if (value === 'bottom') return 'flex-end';
  return value === 'top' ? 'flex-start' : undefined;
}

/** Images of this service are loaded from where the page is; others are not loaded into the dashboard. */
export function shownSource(src: string): string {
  return src.replace(/^https?:\/\/[^/]+(?=\/(?:i|editor\/(?:icons|countdown|pictures))\/)/, '');
}

export function isShown(src: string): boolean {
  return shownSource(src).startsWith('/');
}
