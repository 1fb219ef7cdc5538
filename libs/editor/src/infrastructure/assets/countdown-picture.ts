import type { CountdownLook } from './asset-addresses.js';
import type { DrawnText } from './drawn-text.js';
import { pngOf } from './png.js';

const width = 720;
const height = 200;
const minuteMs = 60_000;

/** Days, hours and minutes, in languages whose letters can be drawn. Other languages have the numbers alone. */
const words: Readonly<Record<string, readonly [string, string, string]>> = {
  cs: ['dny', 'hodiny', 'minuty'],
  da: ['dage', 'timer', 'minutter'],
  de: ['Tage', 'Stunden', 'Minuten'],
  en: ['days', 'hours', 'minutes'],
  es: ['días', 'horas', 'minutos'],
  fr: ['jours', 'heures', 'minutes'],
  it: ['giorni', 'ore', 'minuti'],
  nl: ['dagen', 'uren', 'minuten'],
  no: ['dager', 'timer', 'minutter'],
  pl: ['dni', 'godziny', 'minuty'],
  pt: ['dias', 'horas', 'minutos'],
  sv: ['dagar', 'timmar', 'minuter'],
};

interface Fonts {
  readonly numbers: DrawnText;
  readonly labels: DrawnText;
}

let loaded: Promise<Fonts> | undefined;

/** Read with the first picture: many processes never draw one. */
function fonts(): Promise<Fonts> {
  loaded ??= import('./drawn-text.js').then((text) => ({
    numbers: new text.DrawnText(700),
    labels: new text.DrawnText(400),
  }));
  return loaded;
}

/** A PNG of the time that is left at `now`; of zeros once it has passed. */
export async function countdownPicture(
  { until, background, color, language }: CountdownLook,
  now: Date,
): Promise<Buffer> {
  const { numbers, labels } = await fonts();
  const minutes = Math.max(0, Math.floor((Date.parse(until) - now.getTime()) / minuteMs));
  const parts = [Math.min(999, Math.floor(minutes / 1_440)), Math.floor(minutes / 60) % 24, minutes % 60];
  const names = words[language];
  const base = names === undefined ? 128 : 112;
  const columns = parts.map((part, no) => {
    const x = (width / 6) * (2 * no + 1);
    const number = numbers.centered(String(part).padStart(2, '0'), x, base, 84);
    const label = names === undefined ? '' : labels.centered(names[no] ?? '', x, 160, 26);
    return `<path d="${number}"/><path opacity="0.75" d="${label}"/>`;
  });
  const colons = [1, 2].map(
    (no) => `<path opacity="0.4" d="${numbers.centered(':', (width / 3) * no, base - 8, 64)}"/>`,
  );
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" rx="16" fill="${background}"/>` +
    `<g fill="${color}">${[...columns, ...colons].join('')}</g></svg>`;
  return pngOf(svg);
}
