import { isTimeZone } from '#kernel';

/** Name, short name, zone, and how many hours its standard time is behind UTC. */
const regions = [
  ['eastern', 'et', 'America/New_York', 5],
  ['central', 'ct', 'America/Chicago', 6],
  ['mountain', 'mt', 'America/Denver', 7],
  ['pacific', 'pt', 'America/Los_Angeles', 8],
  ['western european', 'wet', 'Europe/Lisbon', 0],
  ['central european', 'cet', 'Europe/Berlin', -1],
  ['eastern european', 'eet', 'Europe/Athens', -2],
  ['uk', 'british', 'Europe/London', 0],
] as const;

/** In the zones of Etc the sign is the other way round: Etc/GMT+8 is 8 hours behind UTC. */
const behindUtc = (hours: number): string => `Etc/GMT${hours < 0 ? '-' : '+'}${Math.abs(hours)}`;

/** Other abbreviations, such as `PST` and `CEST`, mean the same on each day and are left to chrono. */
const spoken: ReadonlyMap<string, string> = new Map([
  ...['utc', 'gmt', 'z', 'greenwich mean', 'coordinated universal'].map((name) => [name, 'UTC'] as const),
  ...regions.flatMap(([name, short, zone, hours]) => [
    [name, zone] as const,
    [short, zone] as const,
    [`${name} standard`, behindUtc(hours)] as const,
    [`${name} daylight`, behindUtc(hours - 1)] as const,
    [`${name} summer`, behindUtc(hours - 1)] as const,
    [`${short} summer`, behindUtc(hours - 1)] as const,
  ]),
]);
const maxWords = 3;

/** The zones that a text names, and the text without them: `Europe/Berlin`, `[Europe/Berlin]`, `Pacific time`. */
export function withoutZones(text: string): { readonly rest: string; readonly zones: readonly string[] } {
  const words = text
    .replace(/\[!?|[\]()]/g, ' ')
    .split(' ')
    .filter((word) => word !== '');
  const [rest, zones]: [string[], string[]] = [[], []];
  for (let at = 0; at < words.length;) {
    const [zone, length] = zoneAt(words, at);
    if (zone === undefined) rest.push(words[at] ?? '');
    else zones.push(zone);
    at += length;
  }
  return { rest: rest.join(' '), zones };
}

function zoneAt(words: readonly string[], at: number): readonly [string | undefined, number] {
  for (let length = maxWords; length > 0; length -= 1) {
    const name = words
      .slice(at, at + length)
      .join(' ')
      .toLowerCase()
      .replace(/[.,]$/, '');
    const next = words[at + length] ?? '';
    const zone = spoken.get(name) ?? (length === 1 && isName(name) ? words[at]?.replace(/[.,]$/, '') : undefined);
    // `GMT +2` is an offset.
    if (zone !== undefined && !/^[+-]/.test(next)) return [zone, length + (/^time[.,]?$/i.test(next) ? 1 : 0)];
  }
  return [undefined, 1];
}

/** Names without a slash are too easily ordinary words. */
function isName(word: string): boolean {
  return /^[a-z][a-z_]*\/[a-z0-9_+/-]+$/.test(word) && isTimeZone(word);
}
