import { ValidationError } from '#kernel';

/** The longest delay, and the longest wait for an event: 30 days. */
export const maxWaitMs = 30 * 86_400_000;

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const unitsMs: ReadonlyMap<string, number> = new Map(
  Object.entries({
    s: 1_000,
    sec: 1_000,
    second: 1_000,
    m: minuteMs,
    min: minuteMs,
    minute: minuteMs,
    h: 60 * minuteMs,
    hr: 60 * minuteMs,
    hour: 60 * minuteMs,
    d: dayMs,
    day: dayMs,
    w: 7 * dayMs,
    week: 7 * dayMs,
  }),
);
const maxLength = 64;

/** A duration such as `30 minutes`, `2 days` or `1h 30m`, in ms. Throws ValidationError, also if it is longer than `maxMs`. */
export function parseDuration(thing: string, text: string, maxMs = maxWaitMs): number {
  const ms = text.length > maxLength ? undefined : sumOf(text.toLowerCase());
  if (ms === undefined || ms <= 0) {
    throw new ValidationError(`${thing} must be a duration such as \`30 minutes\`, \`2 days\` or \`1h 30m\`.`);
  }
  if (ms > maxMs) {
    throw new ValidationError(`${thing} may be at most ${(maxMs / dayMs).toLocaleString('en')} days.`);
  }
  return ms;
}

function sumOf(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,9})\s*([a-z]+)/g)];
  // Nothing may stand between the parts but spaces and commas.
  if (text.replace(/(\d{1,9})\s*([a-z]+)/g, '').replace(/[\s,]/g, '') !== '') return undefined;
  let sum = 0;
  for (const [, count = '', name = ''] of parts) {
    const unit = unitsMs.get(name) ?? unitsMs.get(name.replace(/s$/, ''));
    if (unit === undefined) return undefined;
    sum += Number(count) * unit;
  }
  return sum;
}

/** A number of whole days with a sign, such as `-3 days`, `0 days` or `1 week`. Throws ValidationError. */
export function parseDays(thing: string, text: string, max: number): number {
  const [, count = '', unit = ''] = /^([+-]?\d{1,4})\s?(day|week)s?$/.exec(text.trim().toLowerCase()) ?? [];
  const days = count === '' ? NaN : Number(count) * (unit === 'week' ? 7 : 1);
  if (Number.isNaN(days)) {
    throw new ValidationError(`${thing} must be a number of days such as \`-3 days\`, \`0 days\` or \`1 week\`.`);
  }
  if (Math.abs(days) > max) throw new ValidationError(`${thing} may be at most ${max} days.`);
  return days === 0 ? 0 : days;
}
