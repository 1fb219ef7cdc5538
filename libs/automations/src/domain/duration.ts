import { ValidationError } from '#kernel';

/** The longest delay, and the longest wait for an event: 30 days. */
export const maxWaitMs = 30 * 86_400_000;

const minuteMs = 60_000;
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
    d: 1_440 * minuteMs,
    day: 1_440 * minuteMs,
    w: 10_080 * minuteMs,
    week: 10_080 * minuteMs,
  }),
);
const maxLength = 64;

/** A duration such as `30 minutes`, `2 days` or `1h 30m`, in ms. Throws ValidationError, also beyond 30 days. */
export function parseDuration(thing: string, text: string): number {
  const ms = text.length > maxLength ? undefined : sumOf(text.toLowerCase());
  if (ms === undefined || ms <= 0) {
    throw new ValidationError(`${thing} must be a duration such as \`30 minutes\`, \`2 days\` or \`1h 30m\`.`);
  }
  if (ms > maxWaitMs) throw new ValidationError(`${thing} may be at most 30 days.`);
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
