import { ValidationError } from '#kernel';

/** What an email says about its own tracking. What it does not say is as its domain has it. */
export interface TrackingChoice {
  readonly opens?: boolean;
  readonly clicks?: boolean;
}

/** Our own header for clients that have no such parameter, over both doors. It never leaves. */
export const trackingField = 'x-postrider-track';

/** `none`, `opens`, `clicks`, or `opens, clicks`: what is named is tracked, what is not is not. */
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

/** The header stands back behind what the request itself says. */
export function trackingChoice(
  given: TrackingChoice | undefined,
  headers: Readonly<Record<string, string>> | null,
): TrackingChoice | null {
  const [, value] = Object.entries(headers ?? {}).find(([name]) => isTrackingField(name)) ?? [];
  const choice = { ...(value === undefined ? {} : parseTrackingField(value)), ...given };
  return Object.keys(choice).length === 0 ? null : choice;
}

/** The headers without ours; null where none are left. */
export function withoutTrackingField(
  headers: Readonly<Record<string, string>> | null,
): Readonly<Record<string, string>> | null {
  const entries = Object.entries(headers ?? {}).filter(([name]) => !isTrackingField(name));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function isTrackingField(name: string): boolean {
  return name.toLowerCase() === trackingField;
}
