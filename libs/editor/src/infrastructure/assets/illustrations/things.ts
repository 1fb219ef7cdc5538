import type { Shades } from './shades.js';
import { circle, faded, gradient, leaf, line, moved, oval, path, rect } from './shapes.js';

/** Square pictures of products, of 600 to 600, and pictures of stories, of 800 to 500. */
export type Thing = (shades: Shades) => string;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, no) => no);

export const lamp: Thing = ({ ink, base, mid, soft, mist, warm }) =>
  rect(0, 0, 600, 600, mist) +
  path('M214 286L110 560H490L386 286Z', warm, 'opacity=".28"') +
  oval(300, 516, 130, 22, soft) +
  rect(292, 250, 16, 250, ink, 8) +
  path('M210 500a90 16 0 0 1 180 0Z', ink) +
  path('M230 120H370L430 286H170Z', base) +
  path('M230 120H290L262 286H170Z', mid) +
  oval(300, 286, 130, 14, warm) +
  line('M352 292V372', mid, 5) +
  circle(352, 380, 9, mid);

export const chair: Thing = ({ ink, deep, base, mid, soft, pale, coral }) =>
  rect(0, 0, 600, 600, pale) +
  oval(300, 520, 200, 22, soft) +
  line('M190 420L168 516M410 420L432 516', ink, 16) +
  rect(168, 140, 264, 230, base, 70) +
  rect(196, 168, 208, 180, mid, 50) +
  rect(146, 316, 308, 112, deep, 34) +
  rect(126, 262, 74, 166, base, 36) +
  rect(400, 262, 74, 166, base, 36) +
  moved(
    330,
    290,
    `<g transform="rotate(14)">${rect(-56, -56, 112, 100, coral, 24)}${line('M-30 -36V24M0 -38V26M30 -36V24', '#ffffff', 5, 'opacity=".5"')}</g>`,
  );

export const plant: Thing = ({ ink, deep, base, mid, soft, mist, coral }) =>
  rect(0, 0, 600, 600, mist) +
  oval(300, 524, 150, 20, soft) +
  moved(
    300,
    390,
    leaf(210, 44, mid, -58) +
      leaf(210, 44, mid, 58) +
      leaf(260, 48, deep, -32) +
      leaf(260, 48, deep, 32) +
      leaf(300, 54, base, -6) +
      leaf(240, 40, mid, 14) +
      line('M0 0L-24 -240M0 0L116 -190M0 0L-116 -190', '#ffffff', 3, 'opacity=".35"'),
  ) +
  path('M208 380H392L368 506A18 18 0 0 1 350 520H250A18 18 0 0 1 232 506Z', coral) +
  faded(0.88, rect(196, 364, 208, 40, ink, 12));

export const mug: Thing = ({ deep, base, soft, pale, warm }) =>
  rect(0, 0, 600, 600, pale) +
  oval(290, 500, 190, 24, soft) +
  line('M236 176c-22 -28 22 -44 0 -74M300 176c-22 -28 22 -44 0 -74M364 176c-22 -28 22 -44 0 -74', '#ffffff', 11) +
  line('M412 280h34a56 56 0 0 1 0 116h-46', deep, 28) +
  path('M166 226H420V410A90 90 0 0 1 330 500H256A90 90 0 0 1 166 410Z', base) +
  path('M166 330C216 306 258 354 310 332S386 320 420 336V396C378 372 346 402 304 396S214 376 166 398Z', warm) +
  oval(293, 226, 127, 26, deep);

export const waves: Thing = ({ ink, deep, base, mid, soft, pale, mist, warm }) => {
  const wave = (y: number, fill: string, shift: number): string =>
    path(
      `M-80 ${y}${range(8)
        .map((no) => `q${60} ${no % 2 === 0 ? -shift : shift} 120 0`)
        .join('')}V520H-80Z`,
      fill,
    );
  return (
    gradient('air', mist, pale) +
    rect(0, 0, 800, 500, 'url(#air)') +
    circle(560, 180, 90, warm) +
    wave(250, soft, 40) +
    wave(310, mid, -44) +
    wave(370, base, 40) +
    wave(430, deep, -36) +
    wave(480, ink, 28)
  );
};

export const city: Thing = ({ ink, deep, base, mid, soft, pale, mist, warm }) => {
  const fills = [soft, mid, base, deep];
  const houses = [
    [40, 210],
    [140, 150],
    [230, 260],
    [330, 120],
    [430, 220],
    [530, 90],
    [640, 190],
    [720, 140],
  ] as const;
  return (
    gradient('noon', mist, pale) +
    rect(0, 0, 800, 500, 'url(#noon)') +
    circle(180, 110, 56, warm) +
    houses
      .map(([x, y], no) => {
        const windows = range(4)
          .flatMap((row) =>
            range(2).map((column) =>
              rect(x + 18 + column * 32, y + 28 + row * 44, 18, 24, (row + column + no) % 3 === 0 ? warm : mist, 3),
            ),
          )
          .join('');
        return rect(x, y, 86, 500 - y, fills[no % 4] as string, 6) + windows;
      })
      .join('') +
    path('M0 452C200 420 420 470 800 436V500H0Z', ink)
  );
};

export const leaves: Thing = ({ deep, base, mid, soft, pale, warm, coral }) =>
  rect(0, 0, 800, 500, deep) +
  [
    [90, 520, 380, 90, -20, base],
    [250, 540, 430, 96, 8, mid],
    [420, 540, 360, 84, -12, soft],
    [560, 550, 440, 100, 14, base],
    [720, 530, 380, 90, -8, mid],
    [340, 560, 250, 64, 30, pale],
    [640, 560, 230, 58, -34, pale],
  ]
    .map(([x, y, height, width, turn, fill]) =>
      moved(
        x as number,
        y as number,
        leaf(height as number, width as number, fill as string, turn as number) +
          `<g transform="rotate(${turn as number})">${line(`M0 0V${-(height as number) * 0.86}`, deep, 4, 'opacity=".35"')}</g>`,
      ),
    )
    .join('') +
  circle(150, 110, 34, warm) +
  circle(470, 96, 22, coral) +
  circle(700, 120, 14, warm);
