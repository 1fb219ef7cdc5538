import { SocialNetwork, socialNetworks } from '../../domain/document/schema.js';
import { networkSigns } from './network-signs.js';
import { pngOf } from './png.js';

const looks = ['brand', 'dark', 'light'] as const;
type Look = (typeof looks)[number];

/** Pixels: a block shows them at most 64 pixels large, and sharp screens have two pixels for each. */
const size = 128;
const inks = { dark: '#2b2d36', light: '#ffffff' } as const;

/** The signs of networks as PNG, drawn when they are first asked for. */
export class SocialIcons {
  private readonly drawn = new Map<string, Promise<Buffer>>();

  /** `name` is `network-look`. Undefined if there is no such icon. */
  find(name: string): Promise<Buffer> | undefined {
    const [, network, look] = /^([a-z]{1,20})-([a-z]{1,10})$/.exec(name) ?? [];
    const known = socialNetworks.find((each) => each === network);
    const shown = looks.find((each) => each === look);
    if (known === undefined || shown === undefined) return undefined;
    let icon = this.drawn.get(name);
    if (icon === undefined) {
      icon = pngOf(svgOf(known, shown));
      this.drawn.set(name, icon);
    }
    return icon;
  }
}

/** A sign in one ink; in the look of the brand, in white on a disc in its color. */
function svgOf(network: SocialNetwork, look: Look): string {
  const { color, shape } = networkSigns[network];
  const sign = (fill: string, place: string): string => `<path fill="${fill}" transform="${place}" d="${shape}"/>`;
  const inside =
    look === 'brand'
      ? `<circle cx="12" cy="12" r="12" fill="${color}"/>${sign('#ffffff', 'translate(6 6) scale(0.5)')}`
      : sign(inks[look], 'translate(1.2 1.2) scale(0.9)');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 24 24">${inside}</svg>`;
}
