import { ValidationError } from '#kernel';

/** The tracking settings of one email. The settings of its domain apply if a field is absent. */
export interface TrackingChoice {
  readonly opens?: boolean;
  readonly clicks?: boolean;
}

/** Header of Postrider for clients that have no such parameter, over HTTP and SMTP. It is never sent on. */
export const trackingField = 'x-postrider-track';

/** Parses `none`, `opens`, `clicks`, or `opens, clicks`. Anything that is not named is not tracked. */
export function parseTrackingField(value: string): TrackingChoice {
  const words = value
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  const isKnown = words.length === 1 && words[0] === 'none' ? true : words.every((word) => tracked.has(word));
  if (!isKnown) {
    throw new ValidationError('The `X-Postrider-Track` header must be `none`, `opens`, `clicks` or `opens, clicks`.');
  }
  return { opens: words.includes('opens'), clicks: words.includes('clicks') };
}

const tracked = new Set(['opens', 'clicks']);

/** Combines the header with the parameter of the request. The parameter takes precedence. */
export function trackingChoice(
  given: TrackingChoice | undefined,
  headers: Readonly<Record<string, string>> | null,
): TrackingChoice | null {
  const [, value] = Object.entries(headers ?? {}).find(([name]) => isTrackingField(name)) ?? [];
  const choice = { ...(value === undefined ? {} : parseTrackingField(value)), ...given };
  return Object.keys(choice).length === 0 ? null : choice;
}

/** The headers without the tracking header; null if none are left. */
export function withoutTrackingField(
  headers: Readonly<Record<string, string>> | null,
): Readonly<Record<string, string>> | null {
  const entries = Object.entries(headers ?? {}).filter(([name]) => !isTrackingField(name));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function isTrackingField(name: string): boolean {
  return name.toLowerCase() === trackingField;
}
