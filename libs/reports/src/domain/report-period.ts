import { ValidationError } from '#kernel';

export const defaultDays = 30;
export const maxDays = 90;
const dayMs = 86_400_000;

/** Reads the `days` parameter. */
export function parseDays(value: unknown): number {
  if (value === undefined || value === '') return defaultDays;
  const days = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > maxDays) throw new ValidationError(`The \`days\` must be a number between 1 and ${maxDays}.`);
  return days;
}

/** The days up to and including today, as `yyyy-mm-dd`; `to` is tomorrow. */
export function lastDays(days: number, now: Date): { readonly from: string; readonly to: string } {
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return { from: dayOf(now.getTime() - (days - 1) * dayMs), to: dayOf(now.getTime() + dayMs) };
}
