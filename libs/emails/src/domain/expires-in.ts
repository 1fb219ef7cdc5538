import { ValidationError } from '#kernel';

const hourMs = 3_600_000;
const maxMs = 48 * hourMs;
const duration = /^\s*(\d{1,9})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)\s*$/i;
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: hourMs, d: 24 * hourMs };

/** Milliseconds of a text such as `10m`, `2 hours` or `1 day`. Without a text, the maximum: 48 hours. */
export function parseExpiresIn(text: string | undefined): number {
  if (text === undefined) return maxMs;
  const [, amount, unit] = duration.exec(text) ?? [];
  const milliseconds = Number(amount) * (unitMs[unit?.charAt(0).toLowerCase() ?? ''] ?? NaN);
  if (!(milliseconds > 0)) {
    throw new ValidationError('The `expires_in` field must be a duration such as `10m`, `2 hours` or `1 day`.');
  }
  if (milliseconds > maxMs) throw new ValidationError('expires_in must not exceed 48 hours');
  return milliseconds;
}
