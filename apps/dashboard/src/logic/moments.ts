const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The present of a page is this old at most: what has just happened must not seem to come. */
const staleMs = 10_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are kept: making one takes longer than drawing a row. */
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format;
}

/** A time of the API: `2026-11-30 20:39:59.54+00` or ISO 8601. */
export function parseTime(text: string): Date {
  return new Date(text.includes('T') ? text : `${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
}

/** "now", "12 seconds ago", "in 5 minutes", and from a week on the date. */
export function relativeTime(time: Date, now: number, language: string): string {
  const ahead = time.getTime() - now;
  const difference = ahead > 0 && ahead <= staleMs ? 0 : ahead;
  const distance = Math.abs(difference);
  if (distance >= 7 * dayMs) return dateOf(time, now, language);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'long' });
  if (distance < 45_000) return format.format(Math.round(difference / 1_000) || 0, 'second');
  if (distance < 45 * minuteMs) return format.format(Math.round(difference / minuteMs), 'minute');
  if (distance < 22 * hourMs) return format.format(Math.round(difference / hourMs), 'hour');
  return format.format(Math.round(difference / dayMs), 'day');
}

function dateOf(time: Date, now: number, language: string): string {
  const sameYear = time.getFullYear() === new Date(now).getFullYear();
  return formatOf(language, {
    day: 'numeric',
    month: 'short',
    year: sameYear ? undefined : 'numeric',
  }).format(time);
}

/** For rows of a list: the time of today, otherwise the day. */
export function shortTime(time: Date, now: number, language: string): string {
  const today = new Date(now).toDateString() === time.toDateString();
  if (!today) return dateOf(time, now, language);
  return formatOf(language, { hour: '2-digit', minute: '2-digit' }).format(time);
}

/** In the time zone of the reader, or in another. */
export function exactTime(time: Date, language: string, timeZone?: string): string {
  return formatOf(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(time);
}

/** A length of time in its two largest units: "4 min 12 s". `Intl.DurationFormat` is not in every browser yet. */
export function duration(ms: number, language: string): string {
  const unit = (value: number, name: string): string =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    }).format(value);
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (ms < 1_000) return unit(Math.round(ms), 'millisecond');
  if (ms < 60_000) return unit(ms < 10_000 ? ms / 1_000 : seconds, 'second');
  if (seconds < 3_600) return `${unit(Math.floor(seconds / 60), 'minute')} ${unit(seconds % 60, 'second')}`;
  if (seconds < 86_400)
    return `${unit(Math.floor(seconds / 3_600), 'hour')} ${unit(Math.floor((seconds % 3_600) / 60), 'minute')}`;
  return `${unit(Math.floor(seconds / 86_400), 'day')} ${unit(Math.floor((seconds % 86_400) / 3_600), 'hour')}`;
}
