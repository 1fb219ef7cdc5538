import { languages } from './page-texts.js';

const maxHeaderLength = 500;
const fallback = 'en';

/**
 * The language of the page for an Accept-Language header (RFC 9110 section 12.5.4): the known one with the highest
 * weight.
 */
export function pageLanguage(header: string | undefined): string {
  let best = { language: fallback, weight: 0 };
  for (const range of (header ?? '').slice(0, maxHeaderLength).split(',')) {
    const [tag = '', ...parameters] = range.split(';');
    const language = tag.trim().toLowerCase().split('-', 1)[0] as string;
    if (!languages.includes(language)) continue;
    const weight = weightOf(parameters);
    if (weight > best.weight) best = { language, weight };
  }
  return best.language;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
