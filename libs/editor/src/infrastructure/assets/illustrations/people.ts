import type { Shades } from './shades.js';
import { circle, path } from './shapes.js';

const skins = ['#c98b62', '#f1c7a5', '#8a5a3c'] as const;

/** Somebody in a circle of 240, by number. */
export function person({ ink, deep, base, mid, soft, pale, warm, coral }: Shades, who: number): string {
  const skin = skins[who % skins.length] as string;
  const shirt = [coral, base, warm][who % 3] as string;
  const ground = [pale, soft, mid][who % 3] as string;
  const id = `person${who}`;
  const face = path('M92 96A28 30 0 0 1 148 96V120A28 32 0 0 1 92 120Z', skin) + path('M106 140H134V170H106Z', skin);
  const hair = [
    path(
      'M84 104C80 60 104 48 122 50C150 50 162 74 156 108C152 92 146 84 134 80C118 90 98 88 92 86C88 92 86 98 84 104Z',
      ink,
    ),
    path(
      'M76 150C70 70 96 48 120 48C146 48 170 70 164 150C156 160 148 154 148 146V98C140 94 132 88 128 80C120 92 104 96 92 98V146C92 154 84 160 76 150Z',
      deep,
    ),
    circle(120, 62, 34, ink) + circle(92, 76, 16, ink) + circle(148, 76, 16, ink),
  ];
  const body = path('M40 250C40 196 76 166 120 166S200 196 200 250Z', shirt);
  const collar = path('M102 166H138L120 190Z', skin);
  const isBehind = who % 3 !== 0;
  return (
    `<clipPath id="${id}"><circle cx="120" cy="120" r="120"/></clipPath><g clip-path="url(#${id})">` +
    circle(120, 120, 120, ground) +
    (who % 3 === 1 ? hair[1] : '') +
    body +
    (who % 3 === 2 ? hair[2] : '') +
    face +
    collar +
    (isBehind
      ? path(
          who % 3 === 1
            ? 'M92 100C100 74 116 72 128 80C134 90 142 96 148 98C150 74 140 62 120 62S90 74 92 100Z'
            : 'M92 92C98 80 110 78 120 78S142 80 148 92C148 72 138 64 120 64S92 72 92 92Z',
          who % 3 === 1 ? deep : ink,
        )
      : hair[0]) +
    '</g>'
  );
}
