import { person } from './people.js';
import type { Shades } from './shades.js';
import { arch, circle, faded, gradient, leaf, line, moved, oval, path, rect } from './shapes.js';

/** Wide pictures, of 1200 to 600. */
export type Scene = (shades: Shades) => string;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, no) => no);

export const hills: Scene = ({ deep, base, mid, soft, pale, mist, ink, warm }) => {
  const tree = (x: number, y: number, size: number, fill: string): string =>
    moved(
      x,
      y,
      rect(-3, -18, 6, 20, ink) +
        path('M0 -120C-34 -78 -38 -22 0 -12C38 -22 34 -78 0 -120Z', fill) +
        line('M0 -14V-84', ink, 2, 'opacity=".35"'),
      `scale(${size})`,
    );
  return (
    gradient('sky', mist, pale) +
    rect(0, 0, 1200, 600, 'url(#sky)') +
    circle(800, 250, 170, '#ffffff', 'opacity=".5"') +
    circle(800, 250, 118, warm) +
    path('M0 330C160 250 300 290 440 330S760 220 930 286S1120 330 1200 300V600H0Z', soft) +
    path('M0 400C180 320 330 400 520 380S860 300 1010 352S1150 380 1200 366V600H0Z', mid) +
    path('M0 470C210 400 380 470 600 452S980 392 1200 452V600H0Z', base) +
    path('M0 540C240 470 520 552 760 520S1090 492 1200 520V600H0Z', deep) +
    path(
      'M640 600C700 560 560 530 640 500C704 476 610 462 652 449C700 462 760 480 690 506C640 528 800 560 770 600Z',
      pale,
      'opacity=".85"',
    ) +
    tree(190, 440, 1, deep) +
    tree(252, 452, 0.78, base) +
    tree(318, 458, 0.6, deep) +
    tree(1010, 436, 1.1, deep) +
    tree(1078, 448, 0.8, soft) +
    line('M520 150q18 -16 32 0q16 -16 34 0', deep, 5) +
    line('M610 196q12 -11 22 0q11 -11 23 0', deep, 4) +
    line('M450 206q10 -9 18 0q9 -9 19 0', deep, 4)
  );
};

export const launch: Scene = ({ ink, deep, base, mid, soft, pale, mist, warm, coral }) => {
  const bars = [70, 112, 88, 150, 124, 186];
  return (
    gradient('night', deep, ink) +
    rect(0, 0, 1200, 600, 'url(#night)') +
    circle(600, 640, 520, base, 'opacity=".22"') +
    circle(600, 640, 400, base, 'opacity=".3"') +
    circle(600, 640, 280, mid, 'opacity=".3"') +
    range(26)
      .map((no) =>
        circle((no * 197) % 1200, (no * 83) % 300, 1.5 + (no % 3), '#ffffff', `opacity="${0.25 + (no % 4) * 0.15}"`),
      )
      .join('') +
    moved(
      300,
      116,
      faded(0.22, rect(0, 8, 600, 400, '#000000', 22)) +
        rect(0, 0, 600, 400, '#ffffff', 22) +
        path('M0 22A22 22 0 0 1 22 0H578A22 22 0 0 1 600 22V52H0Z', mist) +
        circle(30, 26, 7, coral) +
        circle(54, 26, 7, warm) +
        circle(78, 26, 7, soft) +
        path('M0 52H128V400H22A22 22 0 0 1 0 378Z', mist) +
        range(5)
          .map((no) => rect(24, 84 + no * 40, no === 1 ? 84 : 60 + (no % 3) * 8, 14, no === 1 ? base : soft, 7))
          .join('') +
        rect(160, 84, 150, 18, ink, 9) +
        rect(160, 114, 230, 12, pale, 6) +
        rect(160, 152, 408, 216, mist, 14) +
        bars.map((height, no) => rect(190 + no * 60, 352 - height, 34, height, no === 5 ? base : mid, 8)).join(''),
    ) +
    moved(
      826,
      96,
      faded(0.2, rect(0, 6, 220, 132, '#000000', 18)) +
        rect(0, 0, 220, 132, '#ffffff', 18) +
        line('M66 24a42 42 0 1 1 -0.1 0', pale, 14) +
        line('M66 24a42 42 0 1 1 -40 55', base, 14) +
        rect(128, 44, 66, 14, ink, 7) +
        rect(128, 72, 46, 12, soft, 6),
    ) +
    moved(
      150,
      372,
      faded(0.2, rect(0, 6, 224, 92, '#000000', 18)) +
        rect(0, 0, 224, 92, base, 18) +
        circle(46, 46, 22, '#ffffff') +
        line('M36 46l7 8l14 -16', base, 6) +
        rect(84, 28, 108, 14, '#ffffff', 7) +
        rect(84, 52, 72, 12, soft, 6),
    )
  );
};

export const arches: Scene = ({ ink, deep, base, mid, soft, pale, mist, warm, coral }) => {
  const bush = (x: number, turn: number): string =>
    moved(
      x,
      520,
      [-46, -22, 4, 28, 52]
        .map((angle, no) => leaf(150 - Math.abs(no - 2) * 26, 26, no % 2 === 0 ? deep : base, angle + turn))
        .join(''),
    );
  return (
    rect(0, 0, 1200, 600, mist) +
    rect(0, 520, 1200, 80, pale) +
    arch(600, 520, 560, 470, pale) +
    arch(600, 520, 464, 412, soft) +
    arch(600, 520, 368, 354, mid) +
    arch(600, 520, 272, 296, base) +
    arch(600, 520, 176, 238, '#ffffff') +
    circle(600, 396, 58, warm) +
    path('M512 520C548 476 572 470 600 484S660 470 688 520Z', deep) +
    path('M512 520H688L760 600H440Z', '#ffffff', 'opacity=".75"') +
    bush(250, -4) +
    bush(950, 4) +
    rect(196, 520, 108, 66, coral, 10) +
    rect(896, 520, 108, 66, coral, 10) +
    faded(0.85, rect(186, 512, 128, 20, ink, 8)) +
    faded(0.85, rect(886, 512, 128, 20, ink, 8)) +
    circle(140, 130, 10, soft) +
    circle(1050, 190, 14, soft) +
    circle(210, 240, 6, mid) +
    circle(980, 96, 7, mid)
  );
};

export const people: Scene = (shades) => {
  const { base, mid, soft, pale, mist } = shades;
  const round = (x: number, y: number, radius: number, ring: string, who: number): string =>
    circle(x, y, radius + 12, '#ffffff') +
    circle(x, y, radius + 6, ring) +
    moved(x - radius, y - radius, person(shades, who), `scale(${radius / 120})`);
  return (
    gradient('ground', mist, pale) +
    rect(0, 0, 1200, 600, 'url(#ground)') +
    circle(600, 300, 470, '#ffffff', 'opacity=".35"') +
    circle(600, 300, 330, '#ffffff', 'opacity=".45"') +
    line('M330 330C420 180 780 180 870 330', soft, 5, 'stroke-dasharray="2 18"') +
    round(340, 310, 112, mid, 0) +
    round(600, 260, 150, base, 1) +
    circle(860, 310, 124, '#ffffff') +
    circle(860, 310, 112, mist) +
    line('M860 198a112 112 0 1 1 -0.1 0', mid, 6, 'stroke-dasharray="16 18"') +
    line('M860 262V358M812 310H908', base, 14) +
    circle(150, 150, 12, soft) +
    circle(1060, 470, 16, soft) +
    circle(1010, 120, 8, mid) +
    circle(190, 480, 8, mid)
  );
};

export const desk: Scene = ({ ink, deep, base, mid, soft, pale, mist, warm, coral }) => {
  const sheet = (turn: number, fill: string, content = ''): string =>
    moved(560, 310, `<g transform="rotate(${turn})">${rect(-250, -190, 500, 400, fill, 18)}${content}</g>`);
  const bars = [60, 96, 74, 128, 110];
  return (
    rect(0, 0, 1200, 600, pale) +
    oval(560, 540, 420, 30, soft, 'opacity=".6"') +
    sheet(-9, mid) +
    sheet(-4, soft) +
    sheet(
      1,
      '#ffffff',
      rect(-210, -152, 190, 22, ink, 11) +
        rect(-210, -116, 120, 12, soft, 6) +
        bars.map((height, no) => rect(-206 + no * 42, 66 - height, 28, height, no === 3 ? base : mid, 7)).join('') +
        rect(-210, 78, 214, 5, pale, 2) +
        line('M40 40C70 -10 96 30 124 -12S182 -76 208 -70', coral, 8) +
        circle(208, -70, 12, coral) +
        [0, 1, 2].map((no) => rect(-210, 112 + no * 28, 420 - no * 90, 12, no === 0 ? soft : pale, 6)).join(''),
    ) +
    moved(
      930,
      372,
      line('M-26 -96c-16 -22 16 -34 0 -58M18 -96c-16 -22 16 -34 0 -58', '#ffffff', 8, 'opacity=".9"') +
        oval(0, 128, 124, 20, soft) +
        line('M74 -10h24a38 38 0 0 1 0 78h-34', deep, 18) +
        path('M-82 -58H82V56A72 72 0 0 1 10 128H-10A72 72 0 0 1 -82 56Z', deep) +
        oval(0, -58, 82, 18, ink) +
        oval(0, -56, 66, 12, warm),
    ) +
    moved(
      236,
      452,
      `<g transform="rotate(38)">${rect(-120, -10, 190, 20, warm, 4)}${path('M70 -10L108 0L70 10Z', mist)}${path('M94 -4L108 0L94 4Z', ink)}${rect(-136, -10, 24, 20, coral, 6)}</g>`,
    )
  );
};

export const stage: Scene = ({ ink, deep, base, mid, soft, pale, warm, coral }) => {
  const heads = range(13).map((no) => ({ x: 30 + no * 96 + (no % 2) * 14, y: 560 - (no % 3) * 12 }));
  return (
    gradient('hall', ink, deep) +
    rect(0, 0, 1200, 600, 'url(#hall)') +
    path('M150 -20L330 470H60Z', soft, 'opacity=".16"') +
    path('M1050 -20L1140 470H870Z', soft, 'opacity=".16"') +
    path('M420 -20L700 470H380Z', warm, 'opacity=".14"') +
    path('M780 -20L820 470H500Z', warm, 'opacity=".14"') +
    rect(330, 92, 540, 304, base, 20) +
    `<clipPath id="screen"><rect x="330" y="92" width="540" height="304" rx="20"/></clipPath><g clip-path="url(#screen)">` +
    circle(740, 330, 190, mid) +
    circle(740, 330, 120, soft) +
    circle(740, 330, 58, warm) +
    rect(374, 150, 210, 30, '#ffffff', 15) +
    faded(0.8, rect(374, 200, 160, 18, pale, 9)) +
    faded(0.5, rect(374, 232, 120, 18, pale, 9)) +
    rect(374, 330, 120, 34, '#ffffff', 17) +
    '</g>' +
    path('M180 452H1020L1110 520H90Z', mid, 'opacity=".55"') +
    rect(180, 444, 840, 12, soft, 6) +
    moved(270, 446, rect(-26, -92, 52, 92, ink, 8) + rect(-32, -104, 64, 16, coral, 8)) +
    moved(
      940,
      450,
      rect(-16, -76, 32, 66, coral, 14) +
        circle(0, -98, 20, '#f1c7a5') +
        path('M-20 -102a20 20 0 0 1 40 -2c-12 -2 -24 -10 -28 -12c-2 6 -6 12 -12 14Z', ink),
    ) +
    heads.map(({ x, y }) => circle(x, y, 30, ink) + oval(x, y + 66, 54, 48, ink)).join('') +
    heads
      .slice(0, 12)
      .map(({ x }, no) => circle(x + 46, 600, 24, deep, `opacity="${no % 2 === 0 ? 0.9 : 0.6}"`))
      .join('')
  );
};

export const bubbles: Scene = ({ ink, base, mid, soft, pale, mist, warm, coral }) => {
  const star = (x: number, y: number, fill: string): string =>
    moved(
      x,
      y,
      path(
        'M0 -26L7.6 -9 26 -7.4 12 4.8 16.4 23 0 13.4 -16.4 23 -12 4.8 -26 -7.4 -7.6 -9Z',
        fill,
        `stroke="${fill}" stroke-width="5" stroke-linejoin="round"`,
      ),
    );
  return (
    rect(0, 0, 1200, 600, mist) +
    circle(1010, 110, 180, pale) +
    circle(150, 520, 220, pale) +
    moved(
      170,
      120,
      path(
        'M36 0H424A36 36 0 0 1 460 36V184A36 36 0 0 1 424 220H150L84 278V220H36A36 36 0 0 1 0 184V36A36 36 0 0 1 36 0Z',
        base,
      ) + [0, 1, 2, 3, 4].map((no) => star(78 + no * 76, 110, no < 4 ? warm : mid)).join(''),
    ) +
    moved(
      560,
      236,
      path(
        'M36 0H404A36 36 0 0 1 440 36V204A36 36 0 0 1 404 240H356V300L286 240H36A36 36 0 0 1 0 204V36A36 36 0 0 1 36 0Z',
        '#ffffff',
      ) +
        circle(110, 120, 66, warm) +
        circle(90, 104, 8, ink) +
        circle(130, 104, 8, ink) +
        line('M78 134a34 30 0 0 0 64 0', ink, 8) +
        rect(214, 76, 168, 20, ink, 10) +
        rect(214, 114, 130, 16, soft, 8) +
        rect(214, 146, 96, 16, pale, 8),
    ) +
    moved(896, 66, rect(0, 0, 176, 104, coral, 30) + line('M52 54l24 24l50 -50', '#ffffff', 14)) +
    circle(720, 130, 10, soft) +
    circle(486, 508, 14, soft) +
    circle(1090, 420, 9, mid)
  );
};

export const lighthouse: Scene = ({ ink, deep, base, mid, soft, pale, mist, warm, coral }) =>
  gradient('dusk', mid, pale) +
  rect(0, 0, 1200, 600, 'url(#dusk)') +
  circle(300, 392, 150, '#ffffff', 'opacity=".28"') +
  circle(300, 392, 100, warm) +
  path('M846 176L-40 30V290Z', '#ffffff', 'opacity=".3"') +
  path('M874 176L1240 110V250Z', '#ffffff', 'opacity=".3"') +
  path(
    'M0 384C40 376 80 376 120 384S200 392 240 384S320 376 360 384S440 392 480 384S560 376 600 384S680 392 720 384S800 376 840 384S920 392 960 384S1040 376 1080 384S1160 392 1200 384V600H0Z',
    mid,
  ) +
  path('M690 430C740 368 800 356 860 360S990 372 1060 430Z', ink) +
  moved(
    860,
    366,
    path('M-58 0L-40 -160H40L58 0Z', '#ffffff') +
      path('M-54.6 -30L-48 -84H48L54.6 -30Z', coral) +
      path('M-44 -124L-40 -160H40L44 -124Z', coral) +
      rect(-50, -172, 100, 14, ink, 4) +
      rect(-28, -214, 56, 42, warm) +
      line('M-28 -172V-214M0 -172V-214M28 -172V-214', ink, 5) +
      path('M-38 -212L0 -246L38 -212Z', ink) +
      path('M-13 0V-18A13 13 0 0 1 13 -18V0Z', ink),
  ) +
  path(
    'M0 430C50 420 100 420 150 430S250 440 300 430S400 420 450 430S550 440 600 430S700 420 750 430S850 440 900 430S1000 420 1050 430S1150 440 1200 430V600H0Z',
    base,
  ) +
  moved(
    430,
    440,
    line('M0 0V-150', ink, 7) +
      path('M-10 -146V-16H-104C-84 -60 -40 -120 -10 -146Z', '#ffffff') +
      path('M10 -128C48 -96 70 -56 76 -16H10Z', mist) +
      path('M-126 0H110C96 34 74 52 44 52H-66C-98 52 -118 32 -126 0Z', ink) +
      line('M-112 14H98', coral, 7),
  ) +
  path(
    'M0 500C60 486 120 486 180 500S300 514 360 500S480 486 540 500S660 514 720 500S840 486 900 500S1020 514 1080 500S1170 490 1200 496V600H0Z',
    deep,
  ) +
  line('M150 548h90M320 566h60M620 546h110M980 560h80', soft, 6, 'opacity=".6"') +
  line('M560 118q16 -14 28 0q14 -14 30 0M470 160q12 -11 22 0q11 -11 23 0', ink, 5);

export const parcel: Scene = ({ ink, deep, base, mid, soft, pale, mist, warm, coral }) => {
  const house = (x: number, y: number, wall: string, roof: string): string =>
    moved(
      x,
      y,
      rect(-44, -70, 88, 70, wall) +
        path('M-58 -66L0 -120L58 -66Z', roof) +
        rect(-13, -38, 26, 38, ink, 3) +
        rect(18, -54, 16, 16, warm, 2) +
        rect(-34, -54, 16, 16, warm, 2),
    );
  return (
    rect(0, 0, 1200, 600, mist) +
    circle(190, 130, 60, warm) +
    path('M0 430C180 380 340 410 520 420S900 370 1200 420V600H0Z', pale) +
    path('M0 500C220 460 420 500 640 500S1000 470 1200 496V600H0Z', soft) +
    line('M260 470C420 330 560 470 700 360S900 250 980 300', mid, 9, 'stroke-dasharray="1 24"') +
    house(966, 432, '#ffffff', deep) +
    house(1086, 440, mist, base) +
    moved(
      966,
      250,
      path('M0 44C-40 -8 -46 -28 -46 -48A46 46 0 0 1 46 -48C46 -28 40 -8 0 44Z', coral) + circle(0, -48, 18, '#ffffff'),
    ) +
    oval(300, 536, 220, 22, mid, 'opacity=".5"') +
    moved(
      300,
      530,
      path('M-170 -210L0 -150V0L-170 -60Z', base) +
        path('M170 -210L0 -150V0L170 -60Z', deep) +
        path('M-170 -210L0 -270L170 -210L0 -150Z', mid) +
        path('M-104 -233L66 -173V-140L40 -131V-164L-130 -224Z', warm) +
        path('M-120 -120L-60 -99V-62L-120 -83Z', '#ffffff', 'opacity=".9"') +
        line('M58 -62L98 -76M58 -40L82 -48', soft, 7),
    ) +
    moved(620, 130, path('M-60 20a26 26 0 0 1 8 -50a40 40 0 0 1 76 -8a30 30 0 0 1 16 58Z', '#ffffff')) +
    moved(
      800,
      80,
      path('M-60 20a26 26 0 0 1 8 -50a40 40 0 0 1 76 -8a30 30 0 0 1 16 58Z', '#ffffff', 'transform="scale(.7)"'),
    )
  );
};
