import { mixed } from '../../../domain/styles/colors.js';

/** The colors in which illustrations are drawn: one of them is near the color of each team. */
export const hues = {
  indigo: '#4f46e5',
  blue: '#2563eb',
  teal: '#0d9488',
  green: '#2f8f4e',
  amber: '#d98a06',
  red: '#d9403a',
  pink: '#d0357f',
  slate: '#52607a',
} as const;
export type Hue = keyof typeof hues;

/** From dark to light, and two colors beside them. */
export interface Shades {
  readonly ink: string;
  readonly deep: string;
  readonly base: string;
  readonly mid: string;
  readonly soft: string;
  readonly pale: string;
  readonly mist: string;
  readonly warm: string;
  readonly coral: string;
}

export function shadesOf(hue: Hue): Shades {
  const base = hues[hue];
  const isWarm = hue === 'amber' || hue === 'red';
  return {
    ink: mixed(base, '#0b0d17', 0.74),
    deep: mixed(base, '#0b0d17', 0.42),
    base,
    mid: mixed(base, '#ffffff', 0.34),
    soft: mixed(base, '#ffffff', 0.6),
    pale: mixed(base, '#ffffff', 0.82),
    mist: mixed(base, '#ffffff', 0.91),
    warm: isWarm ? '#ffe0a3' : '#f7b955',
    coral: isWarm ? '#3b8f8a' : '#ef7d6b',
  };
}
