import { contrastOf, isColor, mixedColors } from '../email-colors.js';
import type { EmailStyles } from '../email-styles.js';

/** What starting documents take from the styles of the team. */
export interface Look {
  /** The address of an illustration in a color near that of the team. */
  readonly picture: (name: string) => string;
  /** A section with a shade of the team's color, in the light and in the dark. */
  readonly tint: { readonly background: string; readonly darkBackground: string };
  /** A color that is seen on the content, and on the tint. */
  readonly accent: string;
  /** The date that many days from now: `name` is `Thursday, May 14`, `at` is ISO 8601. */
  readonly day: (days: number) => { readonly name: string; readonly at: string };
}

/** The hues of the service's illustrations. */
const hues: Readonly<Record<string, string>> = {
  indigo: '#4f46e5',
  blue: '#2563eb',
  teal: '#0d9488',
  green: '#2f8f4e',
  amber: '#d98a06',
  red: '#d9403a',
  pink: '#d0357f',
};

/** @param illustrations what the addresses of illustrations start with */
export function lookOf(styles: EmailStyles, illustrations: string, now: number): Look {
  const accent = [styles.button, styles.link].find((color) => saturationOf(color) > 0.25) ?? styles.link;
  const hue = nearestHue(accent);
  const darkContent = styles.dark.content ?? '#1b1c21';
  return {
    picture: (name) => `${illustrations}${name}-${hue}.png`,
    tint: {
      background: mixedColors(styles.content, accent, 0.08),
      darkBackground: mixedColors(darkContent, accent, 0.18),
    },
    accent: contrastOf(accent, styles.content) >= 2 ? accent : styles.heading,
    day: (days) => {
      const at = new Date(now + days * 86_400_000);
      at.setUTCHours(17, 0, 0, 0);
      const name = at.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
      return { name, at: at.toISOString() };
    },
  };
}

function nearestHue(color: string): string {
  if (saturationOf(color) <= 0.25) return 'slate';
  const angle = angleOf(color);
  const distance = (other: string): number => {
    const apart = Math.abs(angleOf(other) - angle);
    return Math.min(apart, 360 - apart);
  };
  return Object.entries(hues).reduce((best, each) => (distance(each[1]) < distance(best[1]) ? each : best))[0];
}

function channelsOf(color: string): readonly [number, number, number] {
  const of = (at: number): number => (isColor(color) ? Number.parseInt(color.slice(at, at + 2), 16) / 255 : 0);
  return [of(1), of(3), of(5)];
}

/** 0 for grey, 1 for a pure color. */
function saturationOf(color: string): number {
  const channels = channelsOf(color);
  const [most, least] = [Math.max(...channels), Math.min(...channels)];
  return most === 0 || most < 0.15 ? 0 : (most - least) / most;
}

/** Degrees on the circle of colors. */
function angleOf(color: string): number {
  const [red, green, blue] = channelsOf(color);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  if (range === 0) return 0;
  if (most === red) return (60 * ((green - blue) / range) + 360) % 360;
  return most === green ? 60 * ((blue - red) / range) + 120 : 60 * ((red - green) / range) + 240;
}
