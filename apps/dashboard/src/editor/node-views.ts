import type { Node as DocumentNode } from '@tiptap/pm/model';
import type { NodeView } from '@tiptap/pm/view';
import i18next from 'i18next';
import { isShown, shownSource, styleOfBlock } from './block-styles';

type Attrs = Readonly<Record<string, unknown>>;
type Child = Node | string;

function element(name: string, className: string, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

const text = (attrs: Attrs, name: string): string => (typeof attrs[name] === 'string' ? attrs[name] : '');
const t = (key: string, values?: Record<string, unknown>): string => i18next.t(`editor:${key}`, values);

/** A node that is one thing, drawn as it will look. It is drawn again when one of its attributes changes. */
export function viewOf(node: DocumentNode): NodeView {
  const dom = document.createElement('div');
  const draw = (shown: DocumentNode): void => {
    const style = styleOfBlock(shown.type.name, shown.attrs);
    dom.setAttribute('style', style);
    dom.toggleAttribute('data-wide', shown.type.name === 'image' && shown.attrs.fullWidth === true);
    dom.replaceChildren(...(drawings[shown.type.name]?.(shown.attrs) ?? []));
  };
  dom.dataset.block = node.type.name;
  dom.contentEditable = 'false';
  draw(node);
  let known = node;
  return {
    dom,
    update: (changed) => {
      if (changed.type !== known.type) return false;
      if (!changed.sameMarkup(known)) draw(changed);
      known = changed;
      return true;
    },
    ignoreMutation: () => true,
  };
}

/** An image of this service, or a place for one that is elsewhere: the dashboard loads nothing from other servers. */
function picture(src: string, alt: string, className: string): HTMLElement {
  if (src === '') return element('div', 'ed-empty', t('canvas.noImage'));
  if (!isShown(src)) {
    return element(
      'div',
      'ed-elsewhere',
      element('strong', '', alt === '' ? t('canvas.imageElsewhere') : alt),
      element('span', '', src.slice(0, 80)),
    );
  }
  const image = document.createElement('img');
  image.src = shownSource(src);
  image.alt = alt;
  image.className = className;
  image.draggable = false;
  return image;
}

function place(attrs: Attrs, child: HTMLElement): HTMLElement {
  const around = element('div', 'ed-placed', child);
  const alignment = text(attrs, 'alignment');
  if (alignment !== '')
    around.style.justifyContent = { center: 'center', right: 'flex-end' }[alignment] ?? 'flex-start';
  return around;
}

const networks: Readonly<Record<string, string>> = {
  x: 'X',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  rss: 'RSS',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  whatsapp: 'WhatsApp',
};

export function networkName(network: string): string {
  return networks[network] ?? network.charAt(0).toUpperCase() + network.slice(1);
}

const drawings: Readonly<Record<string, (attrs: Attrs) => readonly Child[]>> = {
  image: (attrs) => {
    const shown = picture(text(attrs, 'src'), text(attrs, 'alt'), 'ed-image');
    const { width, radius } = attrs;
    if (attrs.fullWidth === true) shown.style.width = '100%';
    else if (width !== null && width !== undefined)
      shown.style.width = typeof width === 'number' ? `${width}px` : text(attrs, 'width');
    if (typeof radius === 'number') shown.style.borderRadius = `${radius}px`;
    return [place(attrs, shown)];
  },
  spacer: (attrs) => {
    const space = element('div', 'ed-spacer', `${Number(attrs.height ?? 24)} px`);
    space.style.height = `${Number(attrs.height ?? 24)}px`;
    return [space];
  },
  logo: (attrs) => {
    const { logo = '', name = '', width = 120 } = logoOf();
    const shown =
      logo === ''
        ? element('span', 'ed-logo-name', name === '' ? t('canvas.noLogo') : name)
        : picture(logo, name, 'ed-image');
    shown.style.maxWidth = logo === '' ? 'none' : `${Number(attrs.width ?? width)}px`;
    return [place(attrs, shown)];
  },
  social: (attrs) => {
    const links = (Array.isArray(attrs.links) ? attrs.links : []) as readonly Attrs[];
    if (links.length === 0) return [element('div', 'ed-empty', t('canvas.noLinks'))];
    const size = Number(attrs.size ?? 28);
    const look = text(attrs, 'look') === '' ? 'dark' : text(attrs, 'look');
    const row = element(
      'div',
      'ed-social',
      ...links.map((each) => {
        const network = text(each, 'network');
        if (look === 'text') return element('span', 'ed-menu-item', networkName(network));
        const icon = document.createElement('img');
        icon.src = `/editor/icons/${network}-${look}.png`;
        icon.alt = networkName(network);
        icon.width = icon.height = size;
        return icon;
      }),
    );
    return [place(attrs, row)];
  },
  video: (attrs) => {
    const frame = element(
      'div',
      'ed-video',
      picture(text(attrs, 'src'), text(attrs, 'alt'), 'ed-image'),
      element('span', 'ed-play', '▶'),
    );
    return [place(attrs, frame)];
  },
  menu: (attrs) => {
    const items = (Array.isArray(attrs.items) ? attrs.items : []) as readonly Attrs[];
    if (items.length === 0) return [element('div', 'ed-empty', t('canvas.noLinks'))];
    const separator = text(attrs, 'separator');
    const row = element('div', 'ed-menu');
    items.forEach((item, no) => {
      if (no > 0 && separator !== '') row.append(element('span', 'ed-muted', separator));
      row.append(element('span', 'ed-menu-item', text(item, 'label')));
    });
    if (text(attrs, 'color') !== '') row.style.setProperty('--e-heading', text(attrs, 'color'));
    if (typeof attrs.size === 'number') row.style.fontSize = `${attrs.size}px`;
    return [place(attrs, row)];
  },
  product: (attrs) => {
    const words = element(
      'div',
      'ed-product-words',
      element('strong', 'ed-product-title', text(attrs, 'title') === '' ? t('canvas.noTitle') : text(attrs, 'title')),
    );
    if (text(attrs, 'text') !== '') words.append(element('span', 'ed-muted', text(attrs, 'text')));
    if (text(attrs, 'price') !== '') {
      const price = element('span', 'ed-price', `${text(attrs, 'price')} `);
      if (text(attrs, 'oldPrice') !== '') price.append(element('s', 'ed-muted', text(attrs, 'oldPrice')));
      words.append(price);
    }
    if (text(attrs, 'button') !== '') words.append(element('span', 'ed-product-button', text(attrs, 'button')));
    const card = element(
      'div',
      text(attrs, 'layout') === 'side' ? 'ed-product ed-side' : 'ed-product',
      picture(text(attrs, 'image'), text(attrs, 'alt'), 'ed-image'),
      words,
    );
    return [place(attrs, card)];
  },
  countdown: (attrs) => {
    const until = Date.parse(text(attrs, 'until'));
    const left = Math.max(0, until - Date.now());
    const minutes = Math.floor(left / 60_000);
    const parts = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60];
    const clock = element(
      'div',
      'ed-countdown',
      ...(Number.isNaN(until)
        ? [t('canvas.noTime')]
        : parts.map((part, no) =>
            element(
              'span',
              '',
              element('b', '', String(part).padStart(2, '0')),
              element('small', '', t(`canvas.units.${no}`)),
            ),
          )),
    );
    if (text(attrs, 'background') !== '') clock.style.background = text(attrs, 'background');
    if (text(attrs, 'color') !== '') clock.style.color = text(attrs, 'color');
    return [place(attrs, clock)];
  },
  html: (attrs) => {
    const source = text(attrs, 'html');
    return [
      element(
        'div',
        'ed-html',
        element('b', '', 'HTML'),
        element('code', '', source === '' ? t('canvas.noHtml') : source.slice(0, 400)),
      ),
    ];
  },
};

interface Logo {
  readonly logo?: string;
  readonly name?: string;
  readonly width?: number;
}

let logoOf: () => Logo = () => ({});

/** Where logo blocks read the team's logo; one editor is open at a time. */
export function setLogoSource(read: () => Logo): void {
  logoOf = read;
}
