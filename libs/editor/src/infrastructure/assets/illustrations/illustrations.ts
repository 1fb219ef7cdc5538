import { pngOf } from '../png.js';
import { person } from './people.js';
import * as scenes from './scenes.js';
import { Hue, hues, Shades, shadesOf } from './shades.js';
import * as things from './things.js';

interface Illustration {
  readonly width: number;
  readonly height: number;
  readonly draw: (shades: Shades) => string;
}

function sized<Name extends string>(
  width: number,
  height: number,
  drawings: Readonly<Record<Name, (shades: Shades) => string>>,
): Readonly<Record<Name, Illustration>> {
  return Object.fromEntries(
    Object.entries<(shades: Shades) => string>(drawings).map(([name, draw]) => [name, { width, height, draw }]),
  ) as Record<Name, Illustration>;
}

const { lamp, chair, plant, mug, waves, city, leaves } = things;
const known: Readonly<Record<string, Illustration>> = {
  ...sized(1200, 600, scenes),
  ...sized(600, 600, { lamp, chair, plant, mug }),
  ...sized(800, 500, { waves, city, leaves }),
  ...sized(240, 240, {
    person1: (shades) => person(shades, 0),
    person2: (shades) => person(shades, 1),
    person3: (shades) => person(shades, 2),
  }),
};

interface Drawing extends Illustration {
  readonly hue: Hue;
}

/** Of `picture-hue`. */
function drawingOf(name: string): Drawing | undefined {
  const [, picture = '', hue = ''] = /^([a-z]{1,20}\d?)-([a-z]{1,10})$/.exec(name) ?? [];
  if (!Object.hasOwn(known, picture) || !Object.hasOwn(hues, hue)) return undefined;
  return { ...(known[picture] as Illustration), hue: hue as Hue };
}

/** Pictures for documents to begin with, as PNG, drawn when they are first asked for. */
export class Illustrations {
  /** About 150 pictures of 3 to 40 KB, if all are asked for. */
  private readonly drawn = new Map<string, Promise<Buffer>>();

  isKnown(name: string): boolean {
    return drawingOf(name) !== undefined;
  }

  find(name: string): Promise<Buffer> {
    const known = this.drawn.get(name);
    if (known !== undefined) return known;
    const drawing = drawingOf(name);
    if (drawing === undefined) throw new Error(`There is no illustration ${name}.`);
    const png = pngOf(svgOf(drawing), { palette: true, effort: 1 });
    this.drawn.set(name, png);
    return png;
  }
}

function svgOf({ width, height, draw, hue }: Drawing): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${draw(shadesOf(hue))}</svg>`;
}
